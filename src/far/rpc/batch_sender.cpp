#include "far/rpc/batch_sender.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/rma/continuation_queue.hpp"
#include "far/rpc/batch_call.hpp"
#include "far/rpc/handler.hpp"
#include "far/rpc/store.hpp"

namespace far::detail {
namespace {

/// Smaller messages cost more than what they carry.
constexpr std::size_t min_buffer = 1024;
/// Maximal number of pushes between two looks at the clock. A look takes 25 ns or so.
constexpr std::uint32_t max_pushes_per_check = 64;
/// Memory of a message in flight besides its bytes.
constexpr std::size_t bookkeeping = sizeof(batch_call);

/// The header of each call in the backlog.
struct passed_on {
  std::int64_t rank;
  std::uint64_t bytes;
};

std::size_t buffer_size(const world& world, std::size_t prefix, const aggregator_options& options,
                        const batch_answers& answers) {
  const std::size_t message = world.fabric().max_payload();
  std::size_t max = options.message_bytes == 0 ? message : std::min(options.message_bytes, message);
  if (answers.answer_bytes != 0) {  // the answers to a message must fit in a message
    const std::size_t calls = (message - sizeof(reply_status)) / answers.answer_bytes;
    max = std::min(max, prefix + calls * answers.call_bytes);
  }
  const std::size_t share = options.buffer_bytes / static_cast<std::size_t>(world.size());
  const std::size_t bytes = std::clamp(share, std::min(min_buffer, max), max);
  const std::size_t result = std::min(bytes, options.buffer_bytes);
  const std::size_t min = prefix + (answers.call_bytes != 0 ? answers.call_bytes : 16);
  if (result >= min) return result;
  throw bad_argument(fmt::format(
      "aggregator: buffer_bytes = {}, message_bytes = {}, on a fabric with messages of {} bytes: "
      "a message would have {} bytes, but needs {}",
      options.buffer_bytes, options.message_bytes, message, result, min));
}

}  // namespace

/// Held while the owner is in a call. Functions that run while it waits must not enter as well.
class batch_sender::turn {
 public:
  explicit turn(batch_sender& sender) : sender_(&sender) {
    if (sender.busy_ || continuation_queue::depth_in(sender.world_.context()) != 0) {
      throw error(
          "aggregator: a call while the owner waits, or from a continuation: functions and "
          "continuations must use pass_on, which does not wait");
    }
    sender.busy_ = true;
  }
  ~turn() { sender_->busy_ = false; }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  batch_sender* sender_;
};

batch_sender::batch_sender(const world& world, fabric::handler_index handler,
                           std::vector<std::byte> prefix, const aggregator_options& options,
                           const batch_answers& answers)
    : world_(world),
      size_(world.size()),
      handler_(handler),
      prefix_(std::move(prefix)),
      options_(options),
      buffers_(world.size(), buffer_size(world, prefix_.size(), options, answers),
               options.buffer_bytes / buffer_size(world, prefix_.size(), options, answers)),
      ledger_(std::make_shared<batch_ledger>()) {
  if (world.thread() < 0) {
    throw bad_argument(
        "aggregator: constructed in a function that another rank called: construct it outside, "
        "where calls may wait");
  }
  ledger_->answers = answers;
}

batch_sender::~batch_sender() {
  if (world_.state().ended()) return;
  if (!watch_.is_unwinding()) flush_at_end();
  ledger_->answers.deliver = nullptr;
}

void batch_sender::flush_at_end() noexcept {
  try {
    do {
      flush();
    } while (waiting());
  } catch (const rank_failed&) {
    // The next call that waits throws it too.
  } catch (...) {
    world_.state().get<rpc_store>().note_failure(std::current_exception());
  }
}

void batch_sender::throw_no_rank(int rank) const {
  throw bad_argument(fmt::format("aggregator: call to rank {}: the job has {} ranks", rank, size_));
}

// -- pushes

bool batch_sender::grow(int rank, std::size_t bytes) {
  const turn mine(*this);
  return space_in_order(rank, bytes);
}

bool batch_sender::space_in_order(int rank, std::size_t bytes) {
  if (bytes > buffers_.bytes_each() - prefix_.size()) return false;
  if (buffers_.is_open(rank)) {
    send(rank);
    ++counts_.full;
  } else if (!buffers_.any_left()) {
    send(buffers_.oldest());
    ++counts_.evicted;
  }
  const bool timed = options_.patience_ns != fabric::never;
  buffers_.open(rank, timed ? world_.now() : 0);
  counts_.max_buffer_bytes =
      std::max(counts_.max_buffer_bytes, buffers_.open_count() * buffers_.bytes_each());
  batch_end& end = buffers_.end_of(rank);
  std::memcpy(end.at, prefix_.data(), prefix_.size());
  end.at += prefix_.size();
  return true;
}

void batch_sender::send_large(int rank, std::size_t bytes, write_call write) {
  const turn mine(*this);
  large_in_turn(rank, bytes, write);
}

void batch_sender::append(int rank, std::span<const std::byte> call) {
  batch_end& end = buffers_.end_of(rank);
  if (static_cast<std::size_t>(end.end - end.at) < call.size() &&
      !space_in_order(rank, call.size())) {
    return large_in_turn(rank, call.size(),
                         [call](std::byte* to) { std::memcpy(to, call.data(), call.size()); });
  }
  std::memcpy(end.at, call.data(), call.size());
  end.at += call.size();
}

// -- time

// Where pushes are rare, each is followed by a look; where they are frequent, one in up to 64 is.
void batch_sender::look() {
  pushes_until_check_ = pushes_per_check_;
  const turn mine(*this);
  send_backlog();
  if (options_.patience_ns == fabric::never) {
    pushes_per_check_ = max_pushes_per_check;
    return;
  }
  const std::uint64_t now_ns = world_.now();
  const std::uint64_t since_ns = now_ns - std::exchange(last_poll_ns_, now_ns);
  if (since_ns > options_.patience_ns / 8) {
    pushes_per_check_ = 1;
  } else if (since_ns < options_.patience_ns / 64) {
    pushes_per_check_ = std::min(pushes_per_check_ * 2, max_pushes_per_check);
  }
  pushes_until_check_ = pushes_per_check_;
  send_late(now_ns);
}

void batch_sender::send_late(std::uint64_t now_ns) {
  while (buffers_.oldest() != batch_buffers::none &&
         now_ns - buffers_.oldest_ns() >= options_.patience_ns) {
    send(buffers_.oldest());
    ++counts_.late;
  }
}

void batch_sender::poll() {
  const turn mine(*this);
  world_.progress();
  send_backlog();
  if (options_.patience_ns != fabric::never) send_late(world_.now());
}

// -- messages

void batch_sender::await_space_in_flight(int rank, std::size_t bytes) {
  const auto room = [&] {
    return ledger_->bytes == 0 || ledger_->bytes + bytes <= options_.max_in_flight_bytes;
  };
  if (!room())
    world_.context().wait(room, fabric::never, {"aggregator: acknowledgement", rank, {}});
}

std::uint32_t batch_sender::reply_bytes_for(std::size_t batch_bytes) const noexcept {
  const batch_answers& answers = ledger_->answers;
  if (answers.answer_bytes == 0) return min_reply_bytes;
  const std::size_t calls = (batch_bytes - prefix_.size()) / answers.call_bytes;
  const std::size_t bytes = sizeof(reply_status) + calls * answers.answer_bytes;
  return std::max(min_reply_bytes, static_cast<std::uint32_t>(bytes));
}

void batch_sender::send(int rank) {
  const std::span<const std::byte> batch = buffers_.contents(rank);
  const std::uint32_t reply_bytes = reply_bytes_for(batch.size());
  const std::size_t bytes = batch.size() + reply_bytes + bookkeeping;
  await_space_in_flight(rank, bytes);
  const auto call = make_state<batch_call>(world_.context(), world_.state(), ledger_, bytes);
  fabric::send_request message;
  message.rank = rank;
  message.handler = handler_;
  message.head = batch;
  send_request(*call, message, reply_bytes, {});
  buffers_.close(rank);
  ++counts_.messages;
  counts_.max_in_flight = std::max(counts_.max_in_flight, ledger_->bytes);
  world_.progress();  // so that a rank that only pushes serves others too
}

void batch_sender::large_in_turn(int rank, std::size_t bytes, write_call write) {
  const std::size_t counted = prefix_.size() + bytes + min_reply_bytes + bookkeeping;
  await_space_in_flight(rank, counted);
  const auto call = make_state<batch_call>(world_.context(), world_.state(), ledger_, counted);
  fabric::send_request message;
  message.rank = rank;
  message.handler = handler_;
  if (prefix_.size() + bytes <= world_.fabric().max_payload()) {
    std::vector<std::byte> batch(prefix_.size() + bytes);
    std::copy(prefix_.begin(), prefix_.end(), batch.begin());
    write(batch.data() + prefix_.size());
    message.head = batch;
    send_request(*call, message, min_reply_bytes, {});
  } else {
    auto& room = world_.state().get<rpc_store>();
    const kept_bytes kept = room.keep(prefix_.size() - sizeof(request_flags) + bytes);
    call->keep_arguments(kept);  // from here on the call frees them
    std::byte* const to =
        std::copy(prefix_.begin() + sizeof(request_flags), prefix_.end(), room.memory_of(kept));
    write(to);
    std::array<std::byte, sizeof(request_flags) + sizeof(kept)> where;
    wire::writer(where.data())(request_flags::elsewhere, kept);
    message.head = where;
    send_request(*call, message, min_reply_bytes, kept);
  }
  ++counts_.messages;
  ++counts_.large;
  counts_.max_in_flight = std::max(counts_.max_in_flight, ledger_->bytes);
  world_.progress();
}

void batch_sender::flush() {
  const turn mine(*this);
  send_backlog();
  for (int i = 1; i <= size_ && buffers_.open_count() != 0; ++i) {
    const int rank = (world_.rank() + i) % size_;  // so that ranks do not all send to the same one
    if (buffers_.is_open(rank)) send(rank);
  }
  world_.context().wait([this] { return ledger_->bytes == 0; }, fabric::never,
                        {"aggregator: flush", -1, {}});
  if (ledger_->failure != nullptr) {
    std::rethrow_exception(std::exchange(ledger_->failure, nullptr));
  }
}

// -- the backlog

void batch_sender::pass_on(int rank, std::size_t bytes, write_call write) {
  if (rank < 0 || rank >= size_) throw_no_rank(rank);
  const passed_on header{rank, bytes};
  const std::scoped_lock lock(mutex_);
  const std::size_t before = backlog_.size();
  backlog_.resize(before + sizeof(header) + bytes);
  std::memcpy(backlog_.data() + before, &header, sizeof(header));
  try {
    write(backlog_.data() + before + sizeof(header));
  } catch (...) {
    backlog_.resize(before);
    throw;
  }
  max_backlog_bytes_ = std::max(max_backlog_bytes_, backlog_.size());
  backlogged_.store(true, std::memory_order_release);
}

void batch_sender::send_backlog() {
  if (taken_at_ == taken_.size()) {
    if (!backlogged_.load(std::memory_order_acquire)) return;
    taken_at_ = 0;
    taken_.clear();
    if (taken_.capacity() > options_.buffer_bytes) taken_.shrink_to_fit();
    const std::scoped_lock lock(mutex_);
    taken_.swap(backlog_);
    backlogged_.store(false, std::memory_order_relaxed);
  }
  while (taken_at_ != taken_.size()) {
    passed_on next;
    std::memcpy(&next, taken_.data() + taken_at_, sizeof(next));
    const std::span call(taken_.data() + taken_at_ + sizeof(next), next.bytes);
    taken_at_ += sizeof(next) + next.bytes;  // before append: a call that throws is not retried
    append(static_cast<int>(next.rank), call);
  }
}

aggregator_counts batch_sender::counts() const {
  aggregator_counts result = counts_;
  const std::scoped_lock lock(mutex_);
  result.max_backlog_bytes = max_backlog_bytes_;
  return result;
}

}  // namespace far::detail
