#pragma once

#include <cstdint>

#include "far/world/world.hpp"

namespace far::sections {

/// The time of packing and unpacking, for a clock that does not measure it (context::charge).
class copy_charge {
 public:
  explicit copy_charge(rank_state& state)
      : kilobyte_ps_(state.fabric().work_cost_ps("copied_kilobyte")),
        row_ps_(state.fabric().work_cost_ps("copied_row")) {}

  /// Charges the thread of `world` for a copy of so many bytes in so many rows.
  static void add(const world& world, std::uint64_t bytes, std::uint64_t rows) {
    const auto& of = world.state().get<copy_charge>();
    if (of.kilobyte_ps_ == 0) return;
    world.context().charge(of.kilobyte_ps_ * bytes / 1024 + of.row_ps_ * rows);
  }

 private:
  std::uint64_t kilobyte_ps_;
  std::uint64_t row_ps_;
};

}  // namespace far::sections
