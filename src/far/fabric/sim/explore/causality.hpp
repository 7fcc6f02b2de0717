#pragma once
// Lamport's happened-before order of the steps of a run, and which steps race. The order follows
// from what steps touch and from what makes them possible.
//
// A step depends on an earlier one if it touches what that one changed (struct touch), if it is the
// next step of the same fiber, or if the earlier one made it possible: an event depends on the step
// that posted it, a woken fiber on the steps that woke it. Happened-before is the transitive
// closure of this. Two steps race if one depends on the other with no step between them in this
// order, and was possible without it.
//
// An empty poll (a fiber checks what it waits for, and finds nothing) and a later step that wakes
// the fiber do not depend on each other: the state is the same as if the fiber first polls after
// that step.

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "far/fabric/sim/explore/labels.hpp"

namespace far::fabric::sim {

using footprint = std::vector<touch>;

/// Whether steps with these footprints depend on each other.
[[nodiscard]] bool conflict(const footprint& some, const footprint& others) noexcept;
/// Adds a touch, unless the footprint covers it already.
void add(footprint& touches, const touch& next);

class causality {
 public:
  using step = std::uint32_t;
  /// No step: the start of the run.
  static constexpr step no_rank = ~step{0};

  /// `later` could have come before `earlier`, after all that happened before either. Then the next
  /// step would have been one of `first`: those with which the reversed order can begin.
  struct race {
    step earlier;
    step later;
    std::vector<step> first;
  };

  /// Starts a run. Its first `kept` steps are those of the previous run.
  void restart(step kept);

  /// The event or fiber takes its next step.
  void begin_event(std::uint64_t id);
  void begin_fiber(std::uint32_t id);
  /// During the step. `causes`: the event is posted, or the fiber woken, only because of all of
  /// these steps; none: independently of any step.
  void touched(const touch& what);
  void spawned(std::uint32_t fiber);
  void posted(std::uint64_t event, std::span<const step> causes);
  void woken(std::uint32_t fiber, std::span<const step> causes);
  void empty_poll();
  /// Ends the step. Reports the races between it and earlier steps, unless it is a kept one.
  void end(const std::function<void(const race&)>& report);

  [[nodiscard]] step steps() const noexcept { return steps_; }
  [[nodiscard]] const footprint& touches(step which) const noexcept {
    return records_[which].touches;
  }

 private:
  using group = std::vector<step>;

  struct record {
    footprint touches;
    group needs;               // it was possible only after all of these,
    std::vector<group> wakes;  // and after all steps of one of these groups, if there are any
    bool empty_poll = false;   // an empty poll
    group repeats;             // empty polls of the fibers that it wakes
    std::vector<std::uint64_t> before;  // a bit for each step that happened before it
  };

  struct fiber_state {
    step last = no_rank;
    std::vector<group> wakes;
  };

  /// Whether a step that is not one of those kept is in progress.
  [[nodiscard]] bool is_new() const noexcept { return in_flight_ && steps_ > kept_; }
  void begin(group needs, std::vector<group> wakes);
  [[nodiscard]] bool happened_before(step earlier, step later) const noexcept;
  [[nodiscard]] bool was_possible_without(step earlier, step later) const noexcept;
  [[nodiscard]] race race_of(step earlier, step later) const;
  fiber_state& fiber_at(std::uint32_t id);

  std::vector<record> records_;
  step steps_ = 0;  // of this run; the last one is in progress
  step kept_ = 0;
  bool in_flight_ = false;
  std::unordered_map<std::uint64_t, group> causes_;  // of events; never iterated
  std::vector<fiber_state> fibers_;
};

}  // namespace far::fabric::sim
