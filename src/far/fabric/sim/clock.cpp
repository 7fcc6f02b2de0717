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
  add({std::max(when, now_), order_++, place, not_a_timer, true});
}

void clock::drop_events() {
  dropping_ = true;
  for (event& e : events_) e = {};  // their entries in the heap do nothing when due
}

void clock::set_runnable(fiber_id who) {
  add({std::max(now(), entry_of(who).clock), order_++, who, not_a_timer, false});
}

void clock::set_timer(fiber_id who) {
  const entry& sleeper = entry_of(who);
  add({std::max(now_, sleeper.until), order_++, who, sleeper.naps, false});
}

bool clock::step() {
  while (!empty()) {
    const due next = take();
    if (next.is_event) {
      event what = std::exchange(events_[next.what], {});
      free_places_.push_back(next.what);
      if (!what) continue;
      now_ = next.when;
      what();
      return true;
    }
    entry& fiber = entry_of(next.what);
    if (next.nap != not_a_timer) {
      if (!fiber.parked || fiber.naps != next.nap) continue;
      fiber.parked = false;
    }
    now_ = next.when;
    run_fiber(next.what);
    return true;
  }
  return false;
}

void clock::add(due next) {
  if (next.when == now_) return line_.push_back(next);
  std::size_t place = heap_.size();
  heap_.push_back(next);
  while (place > 0) {
    const std::size_t parent = (place - 1) / 4;
    if (!next.before(heap_[parent])) break;
    heap_[place] = heap_[parent];
    place = parent;
  }
  heap_[place] = next;
}

clock::due clock::take() {
  if (line_begin_ == line_.size()) return take_from_heap();
  const due& next = line_[line_begin_];
  if (!heap_.empty() && heap_.front().before(next)) return take_from_heap();
  const due result = next;
  if (++line_begin_ == line_.size()) {
    line_.clear();
    line_begin_ = 0;
  }
  return result;
}

clock::due clock::take_from_heap() {
  const due first = heap_.front();
  const due last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return first;
  std::size_t place = 0;
  for (;;) {
    const std::size_t children = 4 * place + 1;
    if (children >= size) break;
    std::size_t least = children;
    const std::size_t end = std::min(children + 4, size);
    for (std::size_t child = children + 1; child < end; ++child) {
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(last)) break;
    heap_[place] = heap_[least];
    place = least;
  }
  heap_[place] = last;
  return first;
}

}  // namespace far::fabric::sim
