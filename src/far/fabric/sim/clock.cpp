#include "far/fabric/sim/clock.hpp"

#include <algorithm>
#include <utility>

#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/prefetch.hpp"

namespace far::fabric::sim {

void clock::charge(picoseconds duration) {
  if (current() == no_rank) return;
  entry& mine = entry_of(current());
  mine.clock = later(std::max(mine.clock, now_), duration);
}

picoseconds clock::now() const noexcept {
  return current() == no_rank ? now_ : std::max(now_, entry_of(current()).clock);
}

void clock::post(event what, picoseconds when) {
  const operation* const moved = std::exchange(next_moved_, nullptr);
  if (dropping_) return;
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<std::uint32_t>(events_.size()));
    events_.emplace_back();
    moved_.emplace_back();
  }
  const std::uint32_t at = free_places_.back();
  free_places_.pop_back();
  events_[at].what = std::move(what);
  moved_[at] = moved;
  due_.add({std::max(when, now_), at, is_event});
}

void clock::drop_events() {
  dropping_ = true;
  for (place& p : events_) p.what = {};  // their entries in the calendar do nothing when due
}

void clock::set_runnable(fiber_id who) {
  due_.add({std::max(now(), entry_of(who).clock), who, no_timer});
}

void clock::set_timer(fiber_id who) {
  const entry& sleeper = entry_of(who);
  due_.add({std::max(now_, sleeper.until), who, sleeper.naps});
}

/// With thousands of ranks, nearly everything that an event touches has left the caches since it
/// was last touched. So it is prefetched early, in steps that follow the pointers: first the event
/// and its operation, then what the operation uses, then what lies behind that.
void clock::look_ahead() {
  if (fibers() < many) return;
  constexpr std::size_t first = 12;
  constexpr std::size_t second = 8;
  constexpr std::size_t third = 4;
  due_.look_ahead(first + 1);
  if (const auto* const soon = due_.coming(first)) {
    if (soon->nap == is_event) {
      prefetch(&events_[soon->what], sizeof(place));
      if (const auto* const op = moved_[soon->what]) prefetch(op, sizeof(operation));
    }
  }
  if (const auto* const soon = due_.coming(second); soon != nullptr && soon->nap == is_event) {
    if (const auto* const op = moved_[soon->what]) prefetch_near(*op);
  }
  if (const auto* const soon = due_.coming(third)) {
    if (soon->nap != is_event) {
      prefetch_fiber(soon->what);
    } else if (const auto* const op = moved_[soon->what]) {
      prefetch_far(*op, *this);
    }
  }
}

bool clock::step() {
  while (!due_.empty()) {
    const calendar::entry next = due_.take();
    look_ahead();
    if (next.nap == is_event) {
      event what = std::move(events_[next.what].what);
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
