#pragma once
// The levels of a machine, as far as locks go by them.

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

/// Elements that contain each other: the whole job first, and at each further level smaller ones,
/// each of which lies within one of the level before.
class lock_levels {
 public:
  /// Collective, except in a simulation. What the user states, who sets FAR_LEVELS (`far run
  /// --levels`): 4x8x16 is 4 elements of 8 elements of 16 consecutive ranks. Else what is found
  /// out: what Slurm tells of the switches above machines, the machines, and where ranks are bound
  /// to processors, the packages, NUMA nodes, L3 caches and cores that they share. In a simulation
  /// there are machines only.
  ///
  /// Cost: an allgather of 48 bytes; where ranks of a machine are bound to different processors
  /// another of 56, and once per rank milliseconds, on large machines tens.
  /// Errors: bad_argument for a FAR_LEVELS that is not the same everywhere, cannot be read, or is
  /// not of so many ranks; rank_failed.
  /// Checked by: lock_levels_test.machines_are_elements, stated_levels_test.are_what_the_user_says,
  ///   found_levels_test.ranks_are_found_where_they_are_bound
  explicit lock_levels(const world& view);
  /// The job, and elements of so many consecutive ranks: {16, 4} makes elements of 16 ranks, and
  /// within them some of 4. Errors: bad_argument for sizes that are not multiples, from the last to
  /// the first, of each other, or 1 or less.
  /// Checked by: lock_levels_test.elements_contain_each_other
  lock_levels(const world& view, const std::vector<int>& sizes);
  /// Of ranks that are at these places: the job, and what divides it further. Left out is what
  /// would be the level before once more, and what would be single ranks.
  /// Checked by: rank_place_test.places_are_levels
  explicit lock_levels(std::span<const sync::rank_place> places);

  /// How many there are, the job included.
  [[nodiscard]] int count() const noexcept { return static_cast<int>(levels_.size()); }
  /// The first rank of the element of a rank. `level`: 0 is the job.
  [[nodiscard]] int home(int level, int rank) const {
    return at(level).homes.at(static_cast<std::size_t>(rank));
  }
  /// What its elements are: "job", "machine", "NUMA node", "16 ranks".
  [[nodiscard]] const std::string& name(int level) const { return at(level).name; }
  /// How many elements it has.
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
