#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct communities_result {
  std::vector<std::uint64_t> labels;  ///< of own vertices: a vertex of the whole graph
  std::uint64_t count = 0;            ///< different labels of all ranks
  int iterations = 0;                 ///< made; fewer than asked for if no label changed
  double seconds = 0;
};

/// Collective: communities by label propagation. A vertex begins with itself as its label; in each
/// iteration it takes the most frequent label of its neighbours, of several the smallest. An arc
/// in either direction makes a neighbour, arcs in both count twice. `graph` must have its outgoing
/// arcs. `on_iteration(iteration, changed)` is called on every rank.
/// Cost of an iteration: a ghost exchange, and sorting each vertex's neighbours' labels.
/// Source: CDLP of LDBC Graphalytics, specification 1.0.
/// Checked by: distributed_communities_test.equals_the_oracle
communities_result communities(
    world& world, const local_graph& graph, int iterations,
    const std::function<void(int iteration, std::uint64_t changed)>& on_iteration = {});

}  // namespace far::apps
