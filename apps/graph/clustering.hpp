#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct clustering_result {
  std::vector<double> coefficients;  ///< of own vertices
  double mean = 0;                   ///< of all vertices; 0 of none
  double seconds = 0;
};

/// Collective: local clustering coefficients. The neighbours of a vertex are the other ends of its
/// arcs, in either direction; if there are d of them, its coefficient is the number of arcs from
/// one of them to another, divided by d (d - 1), or 0 if d < 2. An undirected edge is two arcs.
/// Loops and duplicates do not count. A directed graph must have its outgoing arcs. `on_edges` is
/// as that of triangles. Cost: as sum_over_triangles. Source: LCC of LDBC Graphalytics,
/// specification 1.0. Checked by: distributed_triangles_test.clustering_equals_the_oracle
clustering_result clustering(
    world& world, const local_graph& graph,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& on_edges = {});

}  // namespace far::apps
