#pragma once
// The levels of a machine that locks distinguish.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "far/base/function_ref.hpp"
#include "far/world/world.hpp"

namespace far {
namespace sync {
struct rank_place;
}

/// Nested elements: level 0 is the whole job. The elements of each further level are smaller, and
/// each lies within one element of the level before.
class lock_levels {
 public:
  /// Collective, except in a simulation. If FAR_LEVELS is set (`far run --levels`), it defines the
  /// levels: 4x8x16 is 4 elements of 8 elements of 16 consecutive ranks. Otherwise the levels are
  /// detected: the switches above the machines, as reported by Slurm, the machines, and where ranks
  /// are bound to processors, the packages, NUMA nodes, L3 caches and cores that they share. In a
  /// simulation the only levels are the job and the machines.
  ///
  /// Cost: an allgather of 48 bytes; where ranks of a machine are bound to different processors
  ///   another of 56, and once per rank milliseconds, on large machines tens.
  /// Errors: bad_argument if FAR_LEVELS differs between ranks, cannot be parsed, or is for another
  ///   number of ranks; rank_failed.
  /// Checked by: lock_levels_test.machines_are_elements, stated_levels_test.are_what_the_user_says,
  ///   found_levels_test.ranks_are_found_where_they_are_bound
  explicit lock_levels(const world& world);
  /// The job, and elements of consecutive ranks with the given sizes: {16, 4} makes elements of 16
  /// ranks, each divided into elements of 4.
  /// Errors: bad_argument if a size is less than 2, or does not divide the size before it, or
  ///   equals it.
  /// Checked by: lock_levels_test.elements_contain_each_other
  lock_levels(const world& world, const std::vector<int>& sizes);
  /// The levels of ranks at the given places: the job, and everything that divides it further. A
  /// level is left out if it equals the level before, or if its elements are single ranks.
  /// Checked by: rank_place_test.places_are_levels
  explicit lock_levels(std::span<const sync::rank_place> places);

  /// The number of levels, including the job.
  [[nodiscard]] int count() const noexcept { return static_cast<int>(levels_.size()); }
  /// The first rank of the element to which `rank` belongs. `level`: 0 is the job.
  [[nodiscard]] int home(int level, int rank) const {
    return at(level).homes.at(static_cast<std::size_t>(rank));
  }
  /// The kind of its elements: "job", "machine", "NUMA node", "16 ranks".
  [[nodiscard]] const std::string& name(int level) const { return at(level).name; }
  /// The number of its elements.
  [[nodiscard]] int elements(int level) const;

 private:
  struct one_level {
    std::string name;
    std::vector<int> homes;  // by rank
  };

  [[nodiscard]] const one_level& at(int level) const {
    return levels_.at(static_cast<std::size_t>(level));
  }
  void divide(const std::string& name, base::function_ref<std::uint64_t(std::size_t)> part);

  std::vector<one_level> levels_;
};

}  // namespace far
