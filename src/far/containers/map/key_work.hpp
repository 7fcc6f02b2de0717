#pragma once
// The time that the code of a table takes for its keys, on a clock that cannot see code run.

#include <cstddef>
#include <cstdint>

#include "far/fabric/fabric.hpp"

namespace far::containers {

/// What a simulated machine's profile says of it. Zero, and without effect, where the clock is
/// real.
class key_work {
 public:
  key_work() noexcept = default;
  explicit key_work(const fabric::fabric& rank)
      : first_ps_(rank.work_cost_ps("first_key")), key_ps_(rank.work_cost_ps("batch_key")) {}

  /// This context's thread works on so many keys now.
  /// Checked by: clock_test.keys_are_worked_on
  void charge(fabric::context& context, std::size_t keys) const {
    if (first_ps_ + key_ps_ != 0 && keys != 0) context.charge(first_ps_ + key_ps_ * keys);
  }

 private:
  std::uint64_t first_ps_ = 0;  // the more for the first key
  std::uint64_t key_ps_ = 0;    // for each
};

}  // namespace far::containers
