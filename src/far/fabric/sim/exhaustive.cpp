#include "far/fabric/sim/exhaustive.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {
namespace {

bool conflict(const std::vector<touch>& some, const std::vector<touch>& others) {
  return std::any_of(some.begin(), some.end(), [&](const touch& a) {
    return std::any_of(others.begin(), others.end(),
                       [&](const touch& b) { return a.conflicts(b); });
  });
}

void add(std::vector<touch>& touches, const touch& next) {
  const bool known = std::any_of(touches.begin(), touches.end(), [&](const touch& t) {
    return t.what == next.what && t.first <= next.first && next.end <= t.end &&
           (t.changes || !next.changes);
  });
  if (!known) touches.push_back(next);
}

bool contains(const auto& sleepers, std::uint64_t who) {
  return std::any_of(sleepers.begin(), sleepers.end(),
                     [who](const auto& s) { return s.who == who; });
}

}  // namespace

class exhaustive_search::follower final : public driver {
 public:
  explicit follower(exhaustive_search& search) : search_(&search) {}

  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override {
    return search_->step(events, fibers);
  }
  std::uint64_t choose(std::uint64_t n, question about) override {
    return about == question::nap ? 0 : search_->answer(n);
  }
  bool chance(std::uint64_t, question about) override {
    // A fiber that lets others come first may still be the one to go on.
    if (about == question::give_way) return true;
    return about != question::at_once && search_->answer(2) != 0;
  }
  [[nodiscard]] bool listens() const noexcept override { return true; }
  [[nodiscard]] bool expects_plain_access() const noexcept override {
    return !search_->limits_.verbs_only;
  }
  void touched(const touch& what) override { add(search_->touches_, what); }

 private:
  exhaustive_search* search_;
};

std::unique_ptr<driver> exhaustive_search::begin_run() {
  depth_ = 0;
  last_step_ = 0;
  delayed_.clear();
  delays_ = 0;
  steps_ = 0;
  calm_ = false;
  touches_.clear();
  return std::make_unique<follower>(*this);
}

/// The step chosen last has ended: what it touched is known.
void exhaustive_search::end_step() {
  if (last_step_ == 0) return;
  for (const touch& t : touches_) add(path_[last_step_ - 1].touches, t);
}

std::vector<exhaustive_search::sleeper> exhaustive_search::still_asleep() const {
  std::vector<sleeper> result;
  if (last_step_ == 0 || most_delays_ != 0 || !limits_.reduced) return result;
  for (const sleeper& s : path_[last_step_ - 1].asleep) {
    if (!conflict(s.touches, touches_)) result.push_back(s);
  }
  return result;
}

void exhaustive_search::add_options(node& next, std::span<const std::uint64_t> events,
                                    std::span<const std::uint32_t> fibers) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // the delay, the place
  const auto who_at = [&](std::uint64_t place) {
    return place < events.size() ? 2 * events[place]
                                 : 2 * std::uint64_t{fibers[place - events.size()]} + 1;
  };
  for (std::uint64_t place = 0; place < next.bound; ++place) {
    const auto delay = most_delays_ == 0 ? delayed_.end() : delayed_.find(who_at(place));
    order.emplace_back(delay == delayed_.end() ? 0 : delay->second, place);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [delay, place] : order) {
    next.places.push_back(place);
    next.options.push_back(who_at(place));
  }
}

std::uint64_t exhaustive_search::step(std::span<const std::uint64_t> events,
                                      std::span<const std::uint32_t> fibers) {
  if (calm_) return 0;
  end_step();
  if (++steps_ > limits_.steps) {
    calm_ = left_out_ = true;
    return 0;
  }
  if (depth_ == path_.size()) {
    node next;
    next.is_step = true;
    next.bound = events.size() + fibers.size();
    add_options(next, events, fibers);
    next.asleep = still_asleep();
    while (next.chosen < next.bound && contains(next.asleep, next.options[next.chosen])) {
      ++next.chosen;
    }
    if (next.chosen == next.bound) {  // whatever comes now has been seen in another order
      calm_ = true;
      ++result_.repeated;
      last_step_ = 0;
      return 0;
    }
    path_.push_back(std::move(next));
  }
  const node& here = path_[depth_++];
  last_step_ = depth_;
  touches_.clear();
  for (std::uint64_t i = 0; i < here.chosen; ++i) delayed_[here.options[i]] = ++delays_;
  delayed_.erase(here.options[here.chosen]);
  return here.places[here.chosen];
}

std::uint64_t exhaustive_search::answer(std::uint64_t bound) {
  if (calm_ || bound < 2) return 0;
  if (depth_ == path_.size()) {
    node next;
    next.bound = bound;
    path_.push_back(std::move(next));
  }
  return path_[depth_++].chosen;
}

bool exhaustive_search::next_run() {
  if (!calm_) end_step();
  ++result_.schedules;
  ++in_this_search_;
  const bool spent = most_delays_ != 0 && in_this_search_ >= limits_.bounded;
  if (spent) left_out_ = true;
  if (!spent && backtrack()) {
    if (result_.schedules < limits_.schedules) return true;
    return false;
  }
  return begin_search();
}

/// The search that was is over; whether there is another.
bool exhaustive_search::begin_search() {
  if (!left_out_ || most_delays_ == 0) {
    result_.complete = !left_out_;
    return false;
  }
  most_delays_ = most_delays_ == 1 ? 2 : 0;
  path_.clear();
  in_this_search_ = 0;
  left_out_ = false;
  return result_.schedules < limits_.schedules;
}

/// Whether there are enough delays for the last choice to be `next`.
bool exhaustive_search::may_delay(const node& last, std::uint64_t next) const noexcept {
  if (most_delays_ == 0) return true;
  const auto delays = [](const node& n, std::uint64_t chosen) {
    return n.is_step ? chosen : std::min<std::uint64_t>(chosen, 1);
  };
  std::uint64_t all = delays(last, next);
  for (std::size_t i = 0; i + 1 < path_.size(); ++i) all += delays(path_[i], path_[i].chosen);
  return all <= most_delays_;
}

/// Changes the last choice of path_ that can be changed; false when none can.
bool exhaustive_search::backtrack() {
  while (!path_.empty()) {
    if (try_next(path_.back())) return true;
    path_.pop_back();
  }
  return false;
}

bool exhaustive_search::try_next(node& last) {
  std::uint64_t next = last.chosen + 1;
  if (last.is_step) {
    if (most_delays_ == 0 && limits_.reduced) {
      last.asleep.push_back({last.options[last.chosen], std::move(last.touches)});
    }
    last.touches.clear();
    while (next < last.bound && contains(last.asleep, last.options[next])) ++next;
  }
  if (next >= last.bound) return false;
  if (!may_delay(last, next)) {
    left_out_ = true;
    return false;
  }
  last.chosen = next;
  return true;
}

}  // namespace far::fabric::sim
