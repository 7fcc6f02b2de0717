#pragma once
// Which steps of a run had to come after which, and which of them could have come the other way
// round: Lamport's order, from what steps touch and from what makes them possible.
//
// A step depends on an earlier one if it touches what that one changed (struct touch), if it is the
// next of the same fiber, or if it was possible only because of it: an event after the step that
// posted it, a sleeping fiber after the steps that woke it. What it depends on happened before it,
// and what had happened before that. Two steps race if one depends on the other, with nothing
// between them, and not because it was possible only then.
//
// A look in vain at what a fiber waits for, and a step that wakes the fiber after that, do not
// depend on each other: the state is the same as if the fiber first looks after that step.

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "far/fabric/sim/explore/labels.hpp"

namespace far::fabric::sim {

using footprint = std::vector<touch>;

/// Whether steps that touch these depend on each other.
[[nodiscard]] bool conflict(const footprint& some, const footprint& others) noexcept;
/// Adds what is not in it yet.
void add(footprint& touches, const touch& next);

class causality {
 public:
  using step = std::uint32_t;
  /// Before all steps.
  static constexpr step nobody = ~step{0};

  /// `later` could have come before `earlier`, after what happened before either. Then one of
  /// `first` would have been the next step: they are those who could begin.
  struct race {
    step earlier;
    step later;
    std::vector<step> first;
  };

  /// A run begins. Its first `kept` steps are those of the run before.
  void restart(step kept);

  /// The event or fiber takes its next step.
  void begin_event(std::uint64_t id);
  void begin_fiber(std::uint32_t id);
  /// During the step. `causes`: without all of them the event would not have been posted, or the
  /// fiber not woken; none: it would anyway.
  void touched(const touch& what);
  void spawned(std::uint32_t fiber);
  void posted(std::uint64_t event, std::span<const step> causes);
  void woken(std::uint32_t fiber, std::span<const step> causes);
  void looked_in_vain();
  /// The step has ended: reports the races between it and earlier steps, unless it is a kept one.
  void end(const std::function<void(const race&)>& report);

  [[nodiscard]] step steps() const noexcept { return steps_; }
  [[nodiscard]] const footprint& touches(step which) const noexcept {
    return records_[which].touches;
  }

 private:
  using group = std::vector<step>;

  struct record {
    footprint touches;
    group needs;                        // it was possible only after these,
    std::vector<group> wakes;           // and after all of some group, unless there is none
    bool in_vain = false;               // it looked and found nothing
    group repeats;                      // looks in vain that it makes good
    std::vector<std::uint64_t> before;  // a bit for each step that happened before it
  };

  struct fiber_state {
    step last = nobody;
    std::vector<group> wakes;
  };

  /// Whether a step is under way that is not one of those kept.
  [[nodiscard]] bool is_new() const noexcept { return under_way_ && steps_ > kept_; }
  void begin(group needs, std::vector<group> wakes);
  [[nodiscard]] bool happened_before(step earlier, step later) const noexcept;
  [[nodiscard]] bool was_possible_without(step earlier, step later) const noexcept;
  [[nodiscard]] race race_of(step earlier, step later) const;
  fiber_state& fiber_at(std::uint32_t id);

  std::vector<record> records_;
  step steps_ = 0;  // of this run; the last one is under way
  step kept_ = 0;
  bool under_way_ = false;
  std::unordered_map<std::uint64_t, group> causes_;  // of events; never iterated
  std::vector<fiber_state> fibers_;
};

}  // namespace far::fabric::sim
