#pragma once

#include <cstdint>
#include <vector>

#include "far/graph/csr_graph.hpp"
#include "far/world/world.hpp"

namespace far {

/// Collective: how many arcs leave each own vertex, also in a graph without its outgoing arcs.
/// Cost: where these are missing, 16 bytes for each ghost.
/// Checked by: make_graph_test.degrees_are_those_of_the_arcs
[[nodiscard]] std::vector<std::uint64_t> out_degrees(const world& world, const csr_graph& graph);

}  // namespace far
