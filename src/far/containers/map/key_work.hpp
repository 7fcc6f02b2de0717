#pragma once
// The time that a table's code takes per key, for a clock that cannot measure running code.

#include <cstddef>
#include <cstdint>

#include "far/fabric/fabric.hpp"

namespace far::containers {

/// The times are those of a simulated machine's profile. They are zero, without effect, if the
/// clock is real.
class key_work {
 public:
  key_work() noexcept = default;
  explicit key_work(const fabric::fabric& rank)
      : first_ps_(rank.work_cost_ps("first_key")), key_ps_(rank.work_cost_ps("batch_key")) {}

  /// Charges the work on `keys` keys to this context's thread.
  /// Checked by: clock_test.keys_are_worked_on
  void charge(fabric::context& context, std::size_t keys) const {
    if (first_ps_ + key_ps_ != 0 && keys != 0) context.charge(first_ps_ + key_ps_ * keys);
  }

 private:
  std::uint64_t first_ps_ = 0;  // in addition, for the first key
  std::uint64_t key_ps_ = 0;    // for each key
};

}  // namespace far::containers
