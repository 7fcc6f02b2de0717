#pragma once
// Where a rank is: what lock_levels makes elements of.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::sync {

/// Where a rank is in its machine, and the machine in its network. Ranks are near each other as
/// far as their places are the same; where nothing is known, or a rank may be on several parts,
/// it is with the others of whom that holds.
struct rank_place {
  static constexpr std::size_t most_switches = 4;
  static constexpr std::array<const char*, 4> part_names{"package", "NUMA node", "L3 cache",
                                                         "core"};

  std::int32_t machine = 0;
  /// Of the machine, that the rank's thread is bound to, by numbers of hwloc; -1: to none.
  std::array<std::int32_t, part_names.size()> parts{-1, -1, -1, -1};
  /// Above the machine, from the highest: hashes of their names; 0: none.
  std::array<std::uint64_t, most_switches> switches{};
};

/// The parts of the machine that the calling thread is bound to, cores if they have hyperthreads;
/// all else as in a place of which nothing is known. Cost: milliseconds, on large machines tens.
/// Checked by: found_levels_test.ranks_are_found_where_they_are_bound,
///   found_levels_test.cores_count_where_they_have_hyperthreads
[[nodiscard]] rank_place own_parts();

/// Another number for each set of processors that a thread may run on, by which alone it costs
/// little to see whether any is bound elsewhere than others.
[[nodiscard]] std::uint64_t own_processors();

/// The places that ranks have which are bound to one hardware thread of this machine each, of all
/// these. Errors: far::error if hwloc cannot read the machine.
[[nodiscard]] std::vector<rank_place> places_of_this_machine();

/// What Slurm tells of a machine: `address` "s0.s4.node1" by `pattern` "switch.switch.node".
/// Another pattern, or none, tells nothing; of more switches than most_switches the lowest count.
/// Source: srun(1), SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN.
/// Checked by: rank_place_test.switches_are_told_by_slurm
[[nodiscard]] std::array<std::uint64_t, rank_place::most_switches> switches_of(
    std::string_view address, std::string_view pattern);

}  // namespace far::sync
