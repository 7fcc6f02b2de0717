#include "far/fabric/sim/explore/causality.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {
namespace {

constexpr std::size_t word_bits = 64;

bool has(const std::vector<std::uint64_t>& bits, causality::step which) noexcept {
  const std::size_t word = which / word_bits;
  return word < bits.size() && (bits[word] >> (which % word_bits) & 1) != 0;
}

/// Adds a step and all that happened before it.
void include(std::vector<std::uint64_t>& bits, causality::step which,
             const std::vector<std::uint64_t>& before) {
  bits.resize(std::max(bits.size(), which / word_bits + 1));
  bits[which / word_bits] |= std::uint64_t{1} << (which % word_bits);
  for (std::size_t i = 0; i < before.size(); ++i) bits[i] |= before[i];
}

bool contains(const std::vector<causality::step>& steps, causality::step which) noexcept {
  return std::find(steps.begin(), steps.end(), which) != steps.end();
}

}  // namespace

bool conflict(const footprint& some, const footprint& others) noexcept {
  return std::any_of(some.begin(), some.end(), [&](const touch& a) {
    return std::any_of(others.begin(), others.end(),
                       [&](const touch& b) { return a.conflicts(b); });
  });
}

void add(footprint& touches, const touch& next) {
  const bool known = std::any_of(touches.begin(), touches.end(), [&](const touch& t) {
    return t.what == next.what && t.first <= next.first && next.end <= t.end &&
           (t.how == next.how || t.how == touch::mode::changes);
  });
  if (!known) touches.push_back(next);
}

void causality::restart(step kept) {
  kept_ = std::min(kept, static_cast<step>(records_.size()));
  records_.resize(kept_);
  steps_ = 0;
  in_flight_ = false;
  causes_.clear();
  fibers_.clear();
}

causality::fiber_state& causality::fiber_at(std::uint32_t id) {
  if (id >= fibers_.size()) fibers_.resize(id + 1);
  return fibers_[id];
}

void causality::begin(group needs, std::vector<group> wakes) {
  std::erase(needs, no_rank);
  for (group& one : wakes) std::erase(one, no_rank);
  in_flight_ = true;
  if (++steps_ <= kept_) return;
  records_.emplace_back();
  records_.back().needs = std::move(needs);
  records_.back().wakes = std::move(wakes);
}

void causality::begin_event(std::uint64_t id) {
  const auto found = causes_.find(id);
  begin(found == causes_.end() ? group{} : found->second, {});
}

void causality::begin_fiber(std::uint32_t id) {
  fiber_state& mine = fiber_at(id);
  const step before = std::exchange(mine.last, steps_);
  begin({before}, std::exchange(mine.wakes, {}));
}

void causality::touched(const touch& what) {
  if (is_new()) add(records_.back().touches, what);
}

// The number may have belonged to an earlier fiber.
void causality::spawned(std::uint32_t fiber) {
  fiber_at(fiber) = {steps_ == 0 ? no_rank : steps_ - 1, {}};
}

void causality::posted(std::uint64_t event, std::span<const step> causes) {
  causes_[event].assign(causes.begin(), causes.end());
}

void causality::woken(std::uint32_t fiber, std::span<const step> causes) {
  fiber_state& sleeper = fiber_at(fiber);
  const bool first = sleeper.wakes.empty();
  sleeper.wakes.emplace_back(causes.begin(), causes.end());
  if (!first || !is_new() || sleeper.last == no_rank || !records_[sleeper.last].empty_poll) return;
  records_.back().repeats.push_back(sleeper.last);
}

void causality::empty_poll() {
  if (is_new()) records_.back().empty_poll = true;
}

bool causality::happened_before(step earlier, step later) const noexcept {
  return has(records_[later].before, earlier);
}

/// Whether `later`, which depends on `earlier`, could have taken place without it.
bool causality::was_possible_without(step earlier, step later) const noexcept {
  const record& mine = records_[later];
  if (contains(mine.needs, earlier)) return false;
  if (mine.wakes.empty()) return true;
  return std::any_of(mine.wakes.begin(), mine.wakes.end(), [&](const group& all) {
    return std::none_of(all.begin(), all.end(), [&](step cause) {
      return cause == earlier || happened_before(earlier, cause);
    });
  });
}

/// `first`: of the steps after `earlier` that do not depend on it, those that do not depend on
/// another of them.
causality::race causality::race_of(step earlier, step later) const {
  race result{earlier, later, {}};
  group free;
  for (step s = earlier + 1; s <= later; ++s) {
    if (s != later && happened_before(earlier, s)) continue;
    const bool first = std::none_of(free.begin(), free.end(),
                                    [&](step other) { return happened_before(other, s); });
    if (first) result.first.push_back(s);
    free.push_back(s);
  }
  return result;
}

void causality::end(const std::function<void(const race&)>& report) {
  if (!std::exchange(in_flight_, false) || steps_ <= kept_) return;
  const step last = steps_ - 1;
  record& mine = records_[last];
  group racing;
  for (step s = last; s-- > 0;) {
    if (has(mine.before, s) || contains(mine.repeats, s)) continue;
    const bool woke = std::any_of(mine.wakes.begin(), mine.wakes.end(),
                                  [s](const group& all) { return contains(all, s); });
    if (woke || contains(mine.needs, s)) {
      include(mine.before, s, records_[s].before);
      if (woke && was_possible_without(s, last)) racing.push_back(s);
    } else if (conflict(records_[s].touches, mine.touches)) {
      include(mine.before, s, records_[s].before);
      if (was_possible_without(s, last)) racing.push_back(s);
    }
  }
  for (const step s : racing) report(race_of(s, last));
}

}  // namespace far::fabric::sim
