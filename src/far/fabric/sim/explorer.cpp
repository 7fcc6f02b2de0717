#include "far/fabric/sim/explorer.hpp"

#include <utility>

namespace far::fabric::sim {

void explorer::post(event what, picoseconds) {
  if (dropping_) return;
  events_.push_back(std::move(what));
  event_ids_.push_back(posted_++);
}

void explorer::drop_events() {
  dropping_ = true;
  events_.clear();
  event_ids_.clear();
}

bool explorer::step() {
  ++steps_;
  wake_sleepers();
  if (events_.empty() && runnable_.empty()) {
    if (sleepers_.empty()) return false;
    steps_ = sleepers_.begin()->first / 1000;
    return true;
  }
  const std::size_t choice = driver_->next(event_ids_, runnable_);
  if (choice < events_.size()) {
    const auto place = static_cast<std::ptrdiff_t>(choice);
    event what = std::move(events_[choice]);
    events_.erase(events_.begin() + place);
    event_ids_.erase(event_ids_.begin() + place);
    what();
  } else {
    const auto place = runnable_.begin() + static_cast<std::ptrdiff_t>(choice - events_.size());
    const fiber_id who = *place;
    runnable_.erase(place);
    run_fiber(who);
  }
  return true;
}

void explorer::wake_sleepers() {
  while (!sleepers_.empty() && sleepers_.begin()->first <= now()) wake(sleepers_.begin()->second);
}

}  // namespace far::fabric::sim
