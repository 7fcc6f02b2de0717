// Sending, replying, and the table of open requests.
//
// A reply always finds space: a request is sent only after the cells of its reply have been
// reserved in this context's reply ring, and all reservations together fill at most half of the
// ring. The other half covers cells that have been consumed but not published (at most a quarter
// of the ring, message_ring.hpp).

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/landing_runs.hpp"
#include "far/fabric/shm/rank_context.hpp"

namespace far::fabric::shm {
namespace {

payload bytes_of(std::span<const landing> landings) { return std::as_bytes(landings); }

}  // namespace

void rank_context::check_message(const send_request& message) const {
  check_no_fork();
  const std::size_t bytes = message.head.size() + message.body.size();
  if (message.rank < 0 || message.rank >= home().size() || message.lane < 0 ||
      message.lane >= home().lanes()) {
    throw bad_argument(
        fmt::format("message to lane {} of rank {}: the job has {} ranks of {} lanes", message.lane,
                    message.rank, home().size(), home().lanes()));
  }
  if (bytes > max_payload || message.reply_bytes > max_payload ||
      message.landings.size() > max_landings) {
    throw bad_argument(fmt::format(
        "message of {} bytes, reply of {}, {} landings: at most {}, {} and {}", bytes,
        message.reply_bytes, message.landings.size(), max_payload, max_payload, max_landings));
  }
  for (const landing& place : message.landings) {
    if (place.to.rank() != home().rank()) {
      throw bad_argument("a landing must lie in the requester's own segments");
    }
    home().check_bounds(place.to, place.bytes);
  }
}

bool rank_context::try_send(const send_request& message) {
  check_message(message);
  return push(message);
}

bool rank_context::push(const send_request& message) {
  std::uint16_t slot = no_slot;
  if (message.reply != nullptr) {
    if (reserved_cells_ + cells_for(message.reply_bytes) > reply_cells / 2) return false;
    slot = open_slot(message);
  }
  count_sent();  // before it can be handled
  if (!push_record(message, slot)) {
    block_->sent.store(block_->sent.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    if (slot != no_slot) close_slot(slot);
    return false;
  }
  if (message.reply != nullptr) message.reply->begin();
  return true;
}

bool rank_context::push_record(const send_request& message, std::uint16_t slot) {
  if (!home().near(message.rank)) {
    return home().uplink()->send(message, header_of(message, slot));
  }
  const auto lane = static_cast<std::size_t>(message.lane);
  rank_block& target = home().near_block(message.rank);
  message_ring ring =
      message.kind == message_class::request
          ? message_ring(target.requests[lane], request_ring(target, message.lane), request_cells)
          : message_ring(target.forwards[lane], forward_ring(target, message.lane), request_cells);
  home().before_telling(target);
  if (!ring.push(header_of(message, slot), bytes_of(message.landings), message.head,
                 message.body)) {
    return false;
  }
  wake_one(target);
  return true;
}

std::uint16_t rank_context::open_slot(const send_request& message) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint16_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint16_t slot = free_slots_.back();
  free_slots_.pop_back();
  open_request& entry = slots_[slot];
  entry.origin = message.reply;
  entry.cells = static_cast<std::uint32_t>(cells_for(message.reply_bytes));
  reserved_cells_ += entry.cells;
  return slot;
}

void rank_context::close_slot(std::uint16_t slot) noexcept {
  open_request& entry = slots_[slot];
  reserved_cells_ -= entry.cells;
  entry.origin = nullptr;
  ++entry.serial;
  free_slots_.push_back(slot);  // does not allocate: it contained this slot before
}

// Each counter has one writer, so neither needs a locked instruction. The release pairs with
// quiesce's acquire: if quiesce sees a message handled, it sees everything sent before that.

void rank_context::count_sent() noexcept {
  block_->sent.store(block_->sent.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void rank_context::count_handled() noexcept {
  block_->handled.store(block_->handled.load(std::memory_order_relaxed) + 1,
                        std::memory_order_release);
}

void rank_context::reply(const reply_token& token, payload inline_bytes,
                         std::span<const gather> data) {
  if (!token.expects_reply()) return;
  if (inline_bytes.size() > token.reply_bytes) {
    throw bad_argument(
        fmt::format("reply of {} bytes to rank {}: the request has reserved space for {}",
                    inline_bytes.size(), token.rank, token.reply_bytes));
  }
  const auto header = [&] {
    record_header made{};
    made.bytes = static_cast<std::uint32_t>(inline_bytes.size());
    made.slot = token.slot;
    made.context = token.context;
    made.serial = token.serial;
    return made;
  };
  if (!home().near(token.rank)) {
    home().uplink()->reply(index(), token, header(), inline_bytes, data);
    return release(token);
  }
  for_each_run(token, data, [this](address to, const std::byte* from, std::size_t bytes) {
    copy_bytes(home().direct(to), from, bytes);
  });
  rank_block& target = home().near_block(token.rank);
  message_ring ring(target.contexts[token.context].replies, reply_ring(target, token.context),
                    reply_cells);
  home().before_telling(target);
  const bool pushed = ring.push(header(), inline_bytes, {});
  FAR_CHECK(pushed, "a reply found no space although its request reserved some");
  release(token);
  if (token.context < max_contexts) {
    wake_context(target, token.context);
  } else {
    wake_one(target);  // a lane's context, which any context of the rank runs
  }
}

bool rank_context::is_awaited(const record_header& reply) const noexcept {
  if (reply.slot >= slots_.size()) return false;
  const open_request& entry = slots_[reply.slot];
  return entry.origin != nullptr && entry.serial == reply.serial &&
         cells_for(reply.bytes) <= entry.cells;
}

bool rank_context::take_reply() {
  if (!replies_.ready()) return false;
  payload inline_bytes;
  const record_header& header = replies_.front(inline_bytes, scratch_.data());
  if (!is_awaited(header)) {  // from another machine; on this one only libfar writes replies
    FAR_CHECK(home().uplink() != nullptr, "a reply came to a request that is not open");
    replies_.pop();
    home().uplink()->refuse_reply();
    return true;
  }
  const std::uint16_t slot = header.slot;
  request& origin = *slots_[slot].origin;
  if (origin.on_reply != nullptr) origin.on_reply(origin, inline_bytes);
  replies_.pop();
  close_slot(slot);
  origin.end();  // may send, and may destroy origin
  count_handled();
  return true;
}

void rank_context::defer(int, task) {
  FAR_CHECK(false, "tasks are deferred by handlers, on their lane's context");
}

}  // namespace far::fabric::shm
