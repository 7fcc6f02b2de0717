#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct triangles_result {
  std::vector<std::uint64_t> through;  ///< of own vertices: triangles that it is a corner of
  std::uint64_t count = 0;             ///< triangles of the whole graph
  double seconds = 0;
};

/// Collective: counts triangles, three vertices each of which has an edge with the other two, in
/// any direction. Loops and duplicates do not count. A directed graph must have its outgoing arcs.
/// `on_edges(done, all)` is called now and then on every rank, with numbers of its own edges.
/// Cost: as sum_over_triangles.
/// Checked by: distributed_triangles_test.equals_the_oracle
triangles_result triangles(
    world& world, const local_graph& graph,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& on_edges = {});

}  // namespace far::apps
