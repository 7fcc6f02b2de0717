#include "far/fabric/sim/scheduler.hpp"

#include "far/base/check.hpp"

namespace far::fabric::sim {

// Some seeds have a network that is eager, others one that is slow: with one share for all seeds,
// long delays against much computation would hardly ever come up.
scheduler::scheduler(std::uint64_t seed)
    : random_(base::mix(seed)), event_share_(1 + random_.below(15)) {}

scheduler::fiber_id scheduler::spawn(std::function<void()> body) {
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<fiber_id>(fibers_.size()));
    fibers_.emplace_back();
  }
  const fiber_id id = free_ids_.back();
  free_ids_.pop_back();
  fibers_[id].body = std::make_unique<fiber>(std::move(body));
  runnable_.push_back(id);
  return id;
}

void scheduler::run(const std::function<void()>& stuck) {
  while (free_ids_.size() < fibers_.size()) {
    if (step()) continue;
    stuck();
    FAR_CHECK(!runnable_.empty() || !sleepers_.empty(), "a simulation came to a halt");
  }
}

bool scheduler::step() {
  ++now_;
  wake_sleepers();
  const bool can_run = !runnable_.empty();
  if (!events_.empty() && (!can_run || chance(event_share_))) {
    events_.take(random_)();
  } else if (can_run) {
    run_fiber(random_.below(runnable_.size()));
  } else if (!sleepers_.empty()) {
    now_ = sleepers_.begin()->first;
  } else {
    return false;
  }
  return true;
}

void scheduler::run_fiber(std::size_t place) {
  const fiber_id id = runnable_[place];
  std::swap(runnable_[place], runnable_.back());
  runnable_.pop_back();
  // The table may grow while the fiber runs, so its entry is looked up anew.
  current_ = id;
  fibers_[id].body->resume();
  current_ = nobody;
  entry& mine = fibers_[id];
  if (mine.body->ended()) {
    mine.body.reset();
    free_ids_.push_back(id);
  } else if (!mine.parked) {
    runnable_.push_back(id);
  }
}

void scheduler::yield() { fibers_[current_].body->suspend(); }

void scheduler::park(std::uint64_t until) {
  const fiber_id id = current_;
  entry& mine = fibers_[id];
  mine.parked = true;
  mine.until = until;
  if (until != never) sleepers_.emplace(until, id);
  mine.body->suspend();
}

void scheduler::wake(fiber_id who) {
  entry& sleeper = fibers_[who];
  if (!sleeper.parked) return;
  sleeper.parked = false;
  if (sleeper.until != never) sleepers_.erase({sleeper.until, who});
  runnable_.push_back(who);
}

void scheduler::wake_sleepers() {
  while (!sleepers_.empty() && sleepers_.begin()->first <= now_) wake(sleepers_.begin()->second);
}

}  // namespace far::fabric::sim
