#include "far/fabric/shm/lane.hpp"

#include <utility>

#include "far/base/check.hpp"
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

bool lane::run_front(ring_consumer& ring, message_class kind) {
  payload behind;
  const record_header& header = ring.front(behind, scratch_.data());
  // The bytes come from a peer: check everything that could lead out of bounds.
  FAR_CHECK(behind.size() <= scratch_.size() && header.landings <= max_landings &&
                header.source >= 0 && header.source < home_->size() &&
                header.context < all_contexts,
            "a message arrived malformed");
  const handler function = handler_at(header.handler);
  FAR_CHECK(function != nullptr, "a message named a handler that does not exist");
  reply_token token;
  const bool one_way = header.slot == no_slot;
  if (!one_way) {
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
  const int source = header.source;  // pop releases the record
  function(arrived);
  if (ring.pop()) wake_all(home_->job());
  if (!home_->near(source)) home_->uplink()->handled(source, kind);
  // By now everything that the handler started has been counted as sent (quiesce.cpp).
  if (one_way) context_.count_handled();
  context_.run_tasks();
  return true;
}

bool lane::run() {
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
