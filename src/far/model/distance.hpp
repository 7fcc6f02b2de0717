#pragma once
// The distance between two ranks, as far as it affects the cost of operations.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "far/model/bulk_costs.hpp"
#include "far/model/formula.hpp"
#include "far/world/world.hpp"

namespace far::model {

enum class distance : std::uint8_t {
  self,        ///< the rank's own memory, accessed by the same operations
  same_node,   ///< reached by plain loads and stores; in the simulator it costs as if it were
  other_node,  ///< over a network
};
inline constexpr std::size_t distances = 3;
inline constexpr std::array all_distances{distance::self, distance::same_node,
                                          distance::other_node};

/// The name in files and on command lines: "same_node".
[[nodiscard]] constexpr std::string_view name_of(distance what) noexcept {
  constexpr std::array<std::string_view, distances> names{"self", "same_node", "other_node"};
  return names[static_cast<std::size_t>(what)];
}

/// The distance between this rank and another. Cost: a virtual call.
/// Checked by: known_costs_test.ranks_are_as_far_apart_as_their_nodes
[[nodiscard]] inline distance distance_to(const world& world, int rank) {
  if (rank == world.rank()) return distance::self;
  const bool together = world.node_of(rank) == world.node_of(world.rank());
  return together ? distance::same_node : distance::other_node;
}

/// The costs of components at one distance, and how they were measured.
struct measured_costs {
  component_costs costs;
  int ranks = 0;  ///< ranks of the job, which issued at the same time; 0: not measured here
  bulk_costs bulk = {};
};

/// Nothing at a distance that no two ranks of the job have.
using costs_by_distance = std::array<std::optional<measured_costs>, distances>;

[[nodiscard]] inline std::optional<measured_costs>& at(costs_by_distance& costs,
                                                       distance d) noexcept {
  return costs[static_cast<std::size_t>(d)];
}
[[nodiscard]] inline const std::optional<measured_costs>& at(const costs_by_distance& costs,
                                                             distance d) noexcept {
  return costs[static_cast<std::size_t>(d)];
}

}  // namespace far::model
