#pragma once
// What components cost between ranks: as measured here, or else as built in.

#include <string>
#include <string_view>
#include <vector>

#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::model {

/// Figures of another machine for a fabric, by its name; those of a simulated machine without
/// figures of its own are the simulator's. For an unknown fabric: shm's and ucx's. Their `ranks` is
/// 0.
/// Checked by: known_costs_test.built_in_figures_are_there_for_every_fabric
[[nodiscard]] const costs_by_distance& built_in_costs(std::string_view fabric) noexcept;
/// Those that have figures of their own.
[[nodiscard]] std::vector<std::string_view> built_in_fabrics();

/// The costs of one fabric, from the file of measured costs (costs_file.hpp) and, of distances that
/// it says nothing of, built in.
class known_costs {
 public:
  /// Reads `path`; there need not be such a file. Errors: bad_argument for one that is not right.
  known_costs(std::string_view fabric, const std::string& path);
  /// Of a rank: by its fabric, from where costs_file_path says; for rank_state::get.
  explicit known_costs(rank_state& state);

  /// Whether the fabric has ranks so far apart at all.
  [[nodiscard]] bool knows(distance apart) const noexcept {
    return known_[static_cast<std::size_t>(apart)];
  }
  /// Where it knows nothing, those of a fabric that has all distances.
  [[nodiscard]] const component_costs& of(distance apart) const noexcept {
    return costs_[static_cast<std::size_t>(apart)].costs;
  }
  /// Of how many ranks the job was that measured it; 0: built in.
  [[nodiscard]] int measured_by(distance apart) const noexcept {
    return costs_[static_cast<std::size_t>(apart)].ranks;
  }
  /// The file where measured ones are from.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::array<measured_costs, distances> costs_;
  std::array<bool, distances> known_{};
  std::string path_;
};

/// What this rank knows of its job's fabric. Read once, at the rank's first call; what is in the
/// file later is for later jobs. Ranks of other machines may have other files.
///
/// Threads: safe.
/// Cost: rank_state::get, so keep the reference, which is good as long as the rank is in its job.
/// Errors: bad_argument for a file that is not right, at every call until it is.
/// Checked by: known_costs_test.a_rank_reads_the_file_once,
/// known_costs_test.a_wrong_file_is_told_at_every_use
[[nodiscard]] const known_costs& costs_of(const world& view);

/// The same for operations on the memory of a rank: `price(formula, costs_of(world, rank))`.
[[nodiscard]] const component_costs& costs_of(const world& view, int rank);

}  // namespace far::model
