#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/engine_choice.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct sssp_result {
  std::vector<double> distances;  ///< of own vertices; infinity: not reached
  std::uint64_t reached = 0;      ///< vertices of all ranks
  double farthest = 0;            ///< the largest distance
  engine_rounds rounds;
  double seconds = 0;
};

/// Collective: the length of a shortest path from `source` to each vertex, along outgoing arcs. An
/// arc is as long as its weight, or 1 if the graph has none. `graph` must have its outgoing arcs.
/// `on_round(active)` is called on every rank.
/// Cost: as vertex_engine; a vertex is active each time that a shorter path to it is found.
/// Errors: bad_argument for negative weights.
/// Source: R. Bellman, On a routing problem, 1958, with only those vertices active that have
///   changed.
/// Checked by: distributed_traversal_test.distances_equal_the_oracle
sssp_result sssp(world& world, const local_graph& graph, std::uint64_t source,
                 const std::function<void(std::uint64_t active)>& on_round = {},
                 const engine_choice& engine = {});

}  // namespace far::apps
