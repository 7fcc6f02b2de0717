#include "far/fabric/sim/clock.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {

void clock::charge(picoseconds duration) {
  if (current() == nobody) return;
  entry& mine = entry_of(current());
  mine.clock = later(std::max(mine.clock, now_), duration);
}

picoseconds clock::now() const noexcept {
  return current() == nobody ? now_ : std::max(now_, entry_of(current()).clock);
}

void clock::post(event what, picoseconds when) {
  if (dropping_) return;
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<std::uint32_t>(events_.size()));
    events_.emplace_back();
  }
  const std::uint32_t place = free_places_.back();
  free_places_.pop_back();
  events_[place] = std::move(what);
  due_.add({std::max(when, now_), place, is_event});
}

void clock::drop_events() {
  dropping_ = true;
  for (event& e : events_) e = {};  // their entries in the calendar do nothing when due
}

void clock::set_runnable(fiber_id who) {
  due_.add({std::max(now(), entry_of(who).clock), who, no_timer});
}

void clock::set_timer(fiber_id who) {
  const entry& sleeper = entry_of(who);
  due_.add({std::max(now_, sleeper.until), who, sleeper.naps});
}

bool clock::step() {
  while (!due_.empty()) {
    const calendar::entry next = due_.take();
    if (next.nap == is_event) {
      event what = std::move(events_[next.what]);
      free_places_.push_back(next.what);
      if (!what) continue;
      now_ = next.when;
      what();
      return true;
    }
    entry& fiber = entry_of(next.what);
    if (next.nap != no_timer) {
      if (!fiber.parked || fiber.naps != next.nap) continue;
      fiber.parked = false;
    }
    now_ = next.when;
    run_fiber(next.what);
    return true;
  }
  return false;
}

}  // namespace far::fabric::sim
