#include "far/fabric/sim/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "far/base/check.hpp"
#include "far/fabric/sim/prefetch.hpp"

namespace far::fabric::sim {

scheduler::fiber_id scheduler::spawn(std::function<void()> body, int rank) {
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<fiber_id>(fibers_.size()));
    fibers_.emplace_back();
  }
  const fiber_id id = free_ids_.back();
  fibers_[id].body = fiber::make(std::move(body), id, stack_bytes_);
  free_ids_.pop_back();
  fibers_[id].clock = now();
  fibers_[id].rank = rank;
  set_runnable(id);
  return id;
}

void scheduler::run(const std::function<void()>& stuck) {
  while (free_ids_.size() < fibers_.size()) {
    if (step()) continue;
    stuck();
    FAR_CHECK(step(), "a simulation came to a halt");
  }
}

void scheduler::run_fiber(fiber_id who) {
  // The fiber may spawn others, which may move the table: look up its entry again afterwards.
  current_ = who;
  fibers_[who].body->resume();
  current_ = no_rank;
  entry& mine = fibers_[who];
  if (mine.body->ended()) {
    mine.body.reset();
    mine.frames = nullptr;
    free_ids_.push_back(who);
  } else if (!mine.parked) {
    set_runnable(who);
  }
}

void scheduler::suspend(entry& mine) {
  mine.frames = __builtin_frame_address(0);
  mine.body->suspend();
}

void scheduler::yield() { suspend(fibers_[current_]); }

void scheduler::park(picoseconds until) {
  const fiber_id id = current_;
  entry& mine = fibers_[id];
  mine.parked = true;
  mine.until = std::max(until, mine.clock);
  ++mine.naps;
  if (mine.until != never) set_timer(id);
  suspend(mine);
}

void scheduler::prefetch_fiber(fiber_id who) const noexcept {
  constexpr std::ptrdiff_t below = 192;  // what suspend() and its callees have saved
  constexpr std::size_t bytes = 640;     // up to the program's own frames
  const entry& sleeper = fibers_[who];
  if (sleeper.frames == nullptr) return;
  prefetch(static_cast<const std::byte*>(sleeper.frames) - below, bytes);
  sleeper.body->prefetch();
}

void scheduler::wake(fiber_id who) {
  entry& sleeper = fibers_[who];
  if (!sleeper.parked) return;
  if (sleeper.until != never) clear_timer(who);
  sleeper.parked = false;
  set_runnable(who);
}

}  // namespace far::fabric::sim
