#pragma once
// The costs of components between ranks: as measured here, or else the built-in ones.

#include <string>
#include <string_view>
#include <vector>

#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::model {

/// The fabric whose costs an unknown one is taken to have, by its name, which need not be that of a
/// fabric that runs here: for a simulated machine sim/cori-aries, else ucx.
[[nodiscard]] constexpr std::string_view most_similar(std::string_view fabric) noexcept {
  return fabric.starts_with("sim") ? "sim/cori-aries" : "ucx";
}

/// The costs of a fabric, by its name, on another machine; those of the most similar one if they
/// are not known. Their `ranks` is 0.
/// Checked by: known_costs_test.built_in_figures_are_there_for_every_fabric
[[nodiscard]] const costs_by_distance& built_in_costs(std::string_view fabric) noexcept;
/// The same for large transfers, at any distance.
[[nodiscard]] bulk_costs built_in_bulk_costs(std::string_view fabric, distance apart) noexcept;
/// The fabrics that have built-in costs of their own.
[[nodiscard]] std::vector<std::string_view> built_in_fabrics();

/// The costs of one fabric: from the file of measured costs (costs_file.hpp), and for distances
/// that are not in the file, the built-in ones.
class known_costs {
 public:
  /// Reads `path`, which need not exist. Errors: bad_argument for a malformed file.
  known_costs(std::string_view fabric, const std::string& path);
  /// The costs of a rank's fabric, from the file at costs_file_path. For rank_state::get.
  explicit known_costs(rank_state& state);

  /// Whether there are costs of this fabric at that distance.
  [[nodiscard]] bool knows(distance apart) const noexcept {
    return known_[static_cast<std::size_t>(apart)];
  }
  /// The costs at a distance. Where knows() is false, those of a fabric that has all distances.
  [[nodiscard]] const component_costs& of(distance apart) const noexcept {
    return costs_[static_cast<std::size_t>(apart)].costs;
  }
  /// The costs of large transfers at a distance.
  [[nodiscard]] const bulk_costs& bulk_of(distance apart) const noexcept {
    return costs_[static_cast<std::size_t>(apart)].bulk;
  }
  /// Number of ranks of the job that measured these costs; 0: built in.
  [[nodiscard]] int measured_by(distance apart) const noexcept {
    return costs_[static_cast<std::size_t>(apart)].ranks;
  }
  /// The file from which measured costs were read.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::array<measured_costs, distances> costs_;
  std::array<bool, distances> known_{};
  std::string path_;
};

/// The costs of this job's fabric, as this rank knows them. The file is read once, at the rank's
/// first call; later changes affect later jobs only. Ranks of other machines may read other files.
///
/// Threads: safe.
/// Cost: rank_state::get, so keep the reference, which is valid while the rank is in its job.
/// Errors: bad_argument for a malformed file, at every call until it is corrected.
/// Checked by: known_costs_test.a_rank_reads_the_file_once,
/// known_costs_test.a_wrong_file_is_told_at_every_use
[[nodiscard]] const known_costs& costs_of(const world& world);

/// The costs of operations on the memory of `rank`: `price(formula, costs_of(world, rank))`.
[[nodiscard]] const component_costs& costs_of(const world& world, int rank);
/// The same for large transfers.
[[nodiscard]] const bulk_costs& bulk_costs_of(const world& world, int rank);

}  // namespace far::model
