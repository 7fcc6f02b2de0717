// Who watches, and the way of logged lines to them. Each rank knows what watchers at every rank
// want, and logs only that. Its first worker passes on what has been logged: to the workers here,
// and by calls to other ranks, the next calls only when these are answered. So a rank that is slow
// to take lines makes the log full, which then drops them, and nothing else waits.

#include <algorithm>
#include <utility>

#include "bindings/kv/worker_backend.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/rpc.hpp"

namespace far::kv {
namespace {

constexpr std::size_t max_watchers = 20;  // of a rank

void take_wish(rank_state& target, int rank, std::uint64_t number, event_kinds kinds) {
  auto& slot = target.get<server_of_rank>();
  const std::scoped_lock lock(slot.mutex);
  if (slot.here != nullptr) slot.here->log().set_wanted(rank, number, kinds);
}

void take_events(rank_state& target, const std::vector<logged_event>& events) {
  auto& slot = target.get<server_of_rank>();
  const std::scoped_lock lock(slot.mutex);
  if (slot.here != nullptr) slot.here->show(events);
}

}  // namespace

bool server::may_add_watcher() {
  const std::scoped_lock lock(mutex_);
  return watchers_.size() < max_watchers;
}

bool server::change_watchers(event_kinds kinds, int by, std::function<void()> known) {
  event_kinds all = 0;
  std::uint64_t number = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (by > 0) {
      watchers_.push_back(kinds);
    } else {
      watchers_.erase(std::ranges::find(watchers_, kinds));
    }
    for (const event_kinds each : watchers_) all |= each;
    number = ++watcher_changes_;
  }
  log_.set_wanted(rank_, number, all);
  if (ranks_ == 1) return true;
  remote_.post([this, all, number, known = std::move(known)](const world& world,
                                                             const store_view& /*items*/) {
    std::vector<future<void>> told;
    for (int rank = 0; rank < ranks_; ++rank) {
      if (rank != rank_) told.push_back(rpc<take_wish>(world, rank, rank_, number, all));
    }
    return when_all(world, std::move(told)).then([known] {
      if (known) known();
    });
  });
  return false;
}

/// By any thread.
void server::wake_log() {
  const std::scoped_lock lock(mutex_);
  if (!workers_.empty()) workers_.front().mail->post([this] { pass_events(); });
}

/// By the first worker.
void server::pass_events() {
  auto events = log_.take();
  if (events.empty()) return;  // until it wakes this again
  show(events);
  event_kinds kinds = 0;
  for (const logged_event& event : events) kinds |= event.kind;
  std::vector<int> to;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank != rank_ && (log_.wanted_at(rank) & kinds) != 0) to.push_back(rank);
  }
  if (to.empty()) return wake_log();
  remote_.post([this, to = std::move(to), events = std::move(events)](const world& world,
                                                                      const store_view& /*items*/) {
    std::vector<future<void>> taken;
    for (const int rank : to) taken.push_back(rpc<take_events>(world, rank, events));
    return when_all(world, std::move(taken)).then([this] { wake_log(); });
  });
}

void server::show(const std::vector<logged_event>& events) {
  if (log_.wanted_at(rank_) == 0) return;
  const auto shared = std::make_shared<const std::vector<logged_event>>(events);
  const std::scoped_lock lock(mutex_);
  for (const worker_record& worker : workers_) {
    worker.mail->post([at = worker.here, shared] { at->show(*shared); });
  }
}

}  // namespace far::kv
