#include "far/fabric/shm/lane.hpp"

#include <array>
#include <cstdio>
#include <exception>
#include <utility>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/doorbell.hpp"

namespace far::fabric::shm {
namespace {

/// Max messages of each class in one poll, so that the caller's own work does not starve.
constexpr int batch = 64;

}  // namespace

bool lane_context::try_send(const send_request& message) {
  check_message(message);
  if (queued_.empty() && push(message)) return true;
  queued_send& copy = queued_.emplace_back();
  copy.message = message;
  copy.bytes.assign(message.head.begin(), message.head.end());
  copy.bytes.insert(copy.bytes.end(), message.body.begin(), message.body.end());
  copy.landings.assign(message.landings.begin(), message.landings.end());
  copy.message.head = copy.bytes;
  copy.message.body = {};
  copy.message.landings = copy.landings;
  queued_count_.store(queued_.size(), std::memory_order_relaxed);
  if (message.reply != nullptr) message.reply->begin();
  count_sent();  // counts the queue's entry, which quiesce must not miss
  return true;
}

bool lane_context::send_queued() {
  bool any = false;
  while (!queued_.empty()) {
    const send_request& message = queued_.front().message;
    if (message.reply != nullptr) --message.reply->pending;  // push begins it again
    if (!push(message)) {
      if (message.reply != nullptr) message.reply->begin();
      break;
    }
    queued_.pop_front();
    count_handled();
    any = true;
  }
  queued_count_.store(queued_.size(), std::memory_order_relaxed);
  return any;
}

void lane_context::defer(int, task work) {
  tasks_.push_back(std::move(work));
  count_sent();  // a task counts as a message to this rank
}

bool lane_context::run_tasks() {
  bool any = false;
  while (!tasks_.empty()) {
    task work = std::move(tasks_.front());
    tasks_.pop_front();
    work(*this);
    count_handled();
    any = true;
  }
  return any;
}

lane::lane(rank_fabric& home, int index)
    : home_(&home),
      index_(index),
      requests_(home.block(home.rank()).requests[static_cast<std::size_t>(index)],
                request_ring(home.block(home.rank()), index), request_cells),
      forwards_(home.block(home.rank()).forwards[static_cast<std::size_t>(index)],
                forward_ring(home.block(home.rank()), index), request_cells),
      context_(home, index) {}

void lane::fail(const char* where) noexcept {
  mark_failed(home_->job(), home_->rank(), std::current_exception(), where);
}

void lane::handle(const record_header& header, payload behind) {
  const handler function = handler_at(header.handler);
  if (header.context >= all_contexts || function == nullptr) {
    throw fabric_error("it is of no context, or for no handler, of this build");
  }
  reply_token token;
  if (header.slot != no_slot) {
    token.rank = header.source;
    token.context = header.context;
    token.slot = header.slot;
    token.serial = header.serial;
    token.reply_bytes = header.reply_bytes;
    token.landing_count = header.landings;
    token.landings = reinterpret_cast<const landing*>(behind.data());
  }
  message arrived(context_, index_, header.source,
                  behind.subspan(header.landings * sizeof(landing)), token);
  function(arrived);
}

bool lane::run_front(ring_consumer& ring, message_class kind) {
  payload behind;
  const record_header& header = ring.front(behind, scratch_.data());
  // The bytes come from a peer: check everything that could lead out of bounds. What a handler
  // finds wrong, it throws.
  const int source = header.source;  // pop releases the record
  FAR_CHECK(header.landings <= max_landings && source >= 0 && source < home_->size(),
            "a message arrived malformed");
  const bool one_way = header.slot == no_slot;
  try {
    handle(header, behind);
  } catch (...) {
    std::array<char, 64> where;
    std::snprintf(where.data(), where.size(), "a message from rank %d: ", source);
    fail(where.data());
  }
  if (ring.pop()) wake_all(home_->job());
  if (!home_->near(source)) home_->uplink()->handled(source, kind);
  // By now everything that the handler started has been counted as sent (quiesce.cpp).
  if (one_way) context_.count_handled();
  context_.run_tasks();
  return true;
}

bool lane::run() noexcept {
  try {
    return run_all();
  } catch (...) {
    fail("a task of a handler: ");
    return true;
  }
}

bool lane::run_all() {
  bool any = context_.take_reply();
  any |= context_.end_remote();
  any |= context_.run_tasks();
  if (context_.has_queued()) any |= context_.send_queued();
  for (int i = 0; i < batch && forwards_.ready(); ++i) {
    any |= run_front(forwards_, message_class::forward);
  }
  for (int i = 0; i < batch && requests_.ready(); ++i) {
    any |= run_front(requests_, message_class::request);
  }
  return any;
}

}  // namespace far::fabric::shm
