#pragma once
// Where a rank is. lock_levels makes elements from this.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::sync {

/// Where a rank is in its machine, and where the machine is in its network. Two ranks are as near
/// as their places agree. A rank whose part is unknown, or that may run on several, is grouped with
/// the other such ranks.
struct rank_place {
  static constexpr std::size_t max_switches = 4;
  static constexpr std::array<const char*, 4> part_names{"package", "NUMA node", "L3 cache",
                                                         "core"};

  std::int32_t machine = 0;
  /// The parts of the machine that the rank's thread is bound to, by hwloc's numbers; -1: none.
  std::array<std::int32_t, part_names.size()> parts{-1, -1, -1, -1};
  /// The switches above the machine, from the highest: hashes of their names; 0: none.
  std::array<std::uint64_t, max_switches> switches{};
};

/// The parts of the machine that the calling thread is bound to; cores only if they have
/// hyperthreads. The other members keep their defaults. Cost: milliseconds, on large machines tens.
/// Checked by: found_levels_test.ranks_are_found_where_they_are_bound,
///   found_levels_test.cores_count_where_they_have_hyperthreads
[[nodiscard]] rank_place own_parts();

/// A hash of the set of processors that the calling thread may run on. A cheap way to see whether
/// ranks are bound differently.
[[nodiscard]] std::uint64_t own_processors();

/// The places of ranks that are each bound to one hardware thread of this machine, one for each
/// hardware thread. Errors: far::error if hwloc cannot read the machine.
[[nodiscard]] std::vector<rank_place> places_of_this_machine();

/// The switches above a machine, as Slurm reports them: `address` "s0.s4.node1" by `pattern`
/// "switch.switch.node". All 0 for another pattern or none. Of more than max_switches switches, the
/// lowest count.
/// Source: srun(1), SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN.
/// Checked by: rank_place_test.switches_are_told_by_slurm
[[nodiscard]] std::array<std::uint64_t, rank_place::max_switches> switches_of(
    std::string_view address, std::string_view pattern);

}  // namespace far::sync
