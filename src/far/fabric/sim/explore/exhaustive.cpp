#include "far/fabric/sim/explore/exhaustive.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};

std::uint64_t rank_of_event(std::uint64_t event) { return 2 * event; }
std::uint64_t rank_of_fiber(std::uint32_t fiber) { return 2 * std::uint64_t{fiber} + 1; }

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
    if (about == question::nap) return 0;
    if (search_->leaves_out_answers()) {
      if (about == question::cuts) return begin_cuts(n - 1);
      if (about == question::cut_at) return next_cut(n);
    }
    return search_->answer(n);
  }
  bool chance(std::uint64_t, question about) override {
    // A fiber that lets others run first may still be chosen next.
    if (about == question::give_way) return true;
    // A caller that may continue at once may also continue when the put has taken place.
    if (about == question::read_now && search_->leaves_out_answers() &&
        search_->limits_.verbs_only) {
      return true;
    }
    return about != question::at_once && search_->answer(2) != 0;
  }
  [[nodiscard]] std::uint64_t rules() const noexcept override {
    const exhaustive_limits& limits = search_->limits_;
    if (limits.leave_out == reduction::none) return any_time;
    return any_time | waits_end_once | (limits.verbs_only ? verbs_alone : 0);
  }
  [[nodiscard]] bool listens() const noexcept override { return true; }
  void touched(const touch& what) override {
    if (search_->follows()) search_->causality_.touched(what);
  }
  void belongs(std::uint32_t fiber, int) override {
    if (search_->follows()) search_->causality_.spawned(fiber);
  }
  void posted(std::uint64_t event, std::span<const std::uint32_t> causes) override {
    if (search_->follows()) search_->causality_.posted(event, causes);
  }
  void woken(std::uint32_t fiber, std::span<const std::uint32_t> causes) override {
    if (search_->follows()) search_->causality_.woken(fiber, causes);
  }
  void empty_poll() override {
    if (search_->follows()) search_->causality_.empty_poll();
  }

 private:
  // A transfer in many pieces can behave as one in fewer pieces, so it always gets as many as
  // possible. The cuts are chosen in ascending order.
  std::uint64_t begin_cuts(std::uint64_t max) {
    cuts_left_ = max;
    min_cut_ = 0;
    return max;
  }
  std::uint64_t next_cut(std::uint64_t places) {
    --cuts_left_;
    if (min_cut_ >= places) return places - 1;  // there are more cuts than places
    const std::uint64_t room = places - min_cut_;
    const std::uint64_t cut =
        min_cut_ + (room > cuts_left_ ? search_->answer(room - cuts_left_) : 0);
    min_cut_ = cut + 1;
    return cut;
  }

  std::uint64_t cuts_left_ = 0;
  std::uint64_t min_cut_ = 0;
  exhaustive_search* search_;
};

std::unique_ptr<driver> exhaustive_search::begin_run() {
  // The run repeats the previous one up to the last choice of the path, or the step of that answer.
  std::size_t kept = 0;
  for (const node& n : path_) kept += n.is_step ? 1 : 0;
  causality_.restart(static_cast<causality::step>(kept == 0 ? 0 : kept - 1));
  depth_ = 0;
  places_of_steps_.clear();
  delayed_.clear();
  delays_ = 0;
  steps_ = 0;
  calm_ = false;
  return std::make_unique<follower>(*this);
}

/// The last chosen step has ended, so what it touched is known.
void exhaustive_search::end_step() {
  if (!follows() || places_of_steps_.empty()) return;
  node& last = path_[places_of_steps_.back()];
  for (const touch& t : causality_.touches(causality_.steps() - 1)) add(last.touches, t);
  if (limits_.leave_out != reduction::source_sets) return;
  causality_.end([this](const causality::race& found) { reverse(found); });
}

bool exhaustive_search::is_wanted(const node& at, std::uint64_t who) noexcept {
  return std::find(at.wanted.begin(), at.wanted.end(), who) != at.wanted.end();
}

/// Schedules the later step to be tried before the earlier one, too.
void exhaustive_search::reverse(const causality::race& found) {
  node& where = path_[places_of_steps_[found.earlier]];
  const auto who = [this](causality::step which) {
    const node& taken = path_[places_of_steps_[which]];
    return taken.options[taken.chosen];
  };
  std::uint64_t first = none;
  for (const causality::step s : found.first) {
    const std::uint64_t one = who(s);
    if (is_wanted(where, one) || contains(where.asleep, one)) return;
    if (first == none || s == found.later) first = one;
  }
  where.wanted.push_back(first);
}

std::vector<exhaustive_search::sleeper> exhaustive_search::still_asleep() const {
  std::vector<sleeper> result;
  if (places_of_steps_.empty() || !follows()) return result;
  const footprint& touches = causality_.touches(causality_.steps() - 1);
  for (const sleeper& s : path_[places_of_steps_.back()].asleep) {
    if (!conflict(s.touches, touches)) result.push_back(s);
  }
  return result;
}

void exhaustive_search::add_options(node& next, std::span<const std::uint64_t> events,
                                    std::span<const std::uint32_t> fibers) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // the delay, the place
  const auto rank_at = [&](std::uint64_t place) {
    return place < events.size() ? rank_of_event(events[place])
                                 : rank_of_fiber(fibers[place - events.size()]);
  };
  for (std::uint64_t place = 0; place < next.bound; ++place) {
    const auto delay = max_delays_ == 0 ? delayed_.end() : delayed_.find(rank_at(place));
    // Fibers first: a fiber that checks for something before it is there leaves less to reverse.
    const bool network_last = max_delays_ == 0 && place < events.size();
    order.emplace_back(delay != delayed_.end() ? delay->second : network_last ? 1 : 0, place);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [delay, place] : order) {
    next.places.push_back(place);
    next.options.push_back(rank_at(place));
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
    if (next.chosen == next.bound) {  // all that follows has been seen in another order
      calm_ = true;
      ++result_.repeated;
      return 0;
    }
    next.wanted.push_back(next.options[next.chosen]);
    path_.push_back(std::move(next));
  }
  const node& here = path_[depth_];
  places_of_steps_.push_back(depth_++);
  const std::uint64_t place = here.places[here.chosen];
  if (follows()) {
    place < events.size() ? causality_.begin_event(events[place])
                          : causality_.begin_fiber(fibers[place - events.size()]);
  }
  for (std::uint64_t i = 0; i < here.chosen; ++i) delayed_[here.options[i]] = ++delays_;
  delayed_.erase(here.options[here.chosen]);
  return place;
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
  const bool spent = max_delays_ != 0 && in_this_search_ >= limits_.bounded;
  if (spent) left_out_ = true;
  if (!spent && backtrack()) {
    if (result_.schedules < limits_.schedules) return true;
    return false;
  }
  return begin_search();
}

/// Starts the next search. Returns false if there is none.
bool exhaustive_search::begin_search() {
  if (!left_out_ || max_delays_ == 0) {
    result_.complete = !left_out_;
    return false;
  }
  max_delays_ = max_delays_ == 1 ? 2 : 0;
  path_.clear();
  in_this_search_ = 0;
  left_out_ = false;
  return result_.schedules < limits_.schedules;
}

/// Whether the delays allow `next` as the last choice.
bool exhaustive_search::may_delay(const node& last, std::uint64_t next) const noexcept {
  if (max_delays_ == 0) return true;
  const auto delays = [](const node& n, std::uint64_t chosen) {
    return n.is_step ? chosen : std::min<std::uint64_t>(chosen, 1);
  };
  std::uint64_t all = delays(last, next);
  for (std::size_t i = 0; i + 1 < path_.size(); ++i) all += delays(path_[i], path_[i].chosen);
  return all <= max_delays_;
}

/// Changes the last choice of path_ that can be changed; returns false if there is none.
bool exhaustive_search::backtrack() {
  while (!path_.empty()) {
    if (try_next(path_.back())) return true;
    path_.pop_back();
  }
  return false;
}

bool exhaustive_search::try_next(node& last) {
  std::uint64_t next = last.chosen + 1;
  if (last.is_step && max_delays_ == 0) {
    if (limits_.leave_out != reduction::none) {
      last.asleep.push_back({last.options[last.chosen], std::move(last.touches)});
    }
    last.touches.clear();
    const bool some = limits_.leave_out == reduction::source_sets;
    if (some) next = 0;
    while (next < last.bound && (contains(last.asleep, last.options[next]) ||
                                 (some && !is_wanted(last, last.options[next])))) {
      ++next;
    }
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
