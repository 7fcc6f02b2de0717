#pragma once
// The time that accesses to a cached array take, for a clock that cannot measure running code.

#include <cstdint>

#include "far/fabric/fabric.hpp"

namespace far::cached {

/// The times are those of a simulated machine's profile. They are zero, without effect, if the
/// clock is real or the profile does not have them.
///
/// A charge lets the ranks go first whose time has not come so far: a loop of hits does nothing
/// else that would.
/// Checked by: cached_array_clock_test.pinned_accesses_are_charged_by_the_program
class access_work {
 public:
  access_work() noexcept = default;
  explicit access_work(const fabric::fabric& rank)
      : hit_ps_(rank.work_cost_ps("array_hit")),
        pinned_ps_(rank.work_cost_ps("array_pinned")),
        apply_ps_(rank.work_cost_ps("array_apply")) {}

  /// Whether the clock advances by what a hit costs.
  [[nodiscard]] bool has_hits() const noexcept { return hit_ps_ != 0 && apply_ps_ != 0; }

  /// A get or put that hits.
  void charge_hit(fabric::context& context) const { charge(context, hit_ps_); }
  /// An operand that is combined in the thread's line.
  void charge_apply(fabric::context& context) const { charge(context, apply_ps_); }
  /// `count` loads or stores through a pin, which the array does not see: programs whose time
  /// matters charge them.
  void charge_pinned(fabric::context& context, std::uint64_t count) const {
    charge(context, pinned_ps_ * count);
  }

 private:
  static void charge(fabric::context& context, std::uint64_t picoseconds) {
    if (picoseconds == 0) return;
    context.charge(picoseconds);
    if (context.lane_index() < 0) context.compute(0);  // functions of other ranks must not wait
  }

  std::uint64_t hit_ps_ = 0;
  std::uint64_t pinned_ps_ = 0;
  std::uint64_t apply_ps_ = 0;
};

}  // namespace far::cached
