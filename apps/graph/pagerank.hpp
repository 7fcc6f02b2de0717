#pragma once

#include <functional>
#include <vector>

#include "apps/graph/engine_choice.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct pagerank_options {
  double damping = 0.85;
  double tolerance = 1e-10;  ///< stop when an iteration changes the ranks by less than this in sum
  int max_iterations = 200;
  /// Called on every rank after each iteration, with the iteration's change.
  std::function<void(int iteration, double change)> on_iteration = {};
};

struct pagerank_result {
  std::vector<double> ranks;  ///< of own vertices
  int iterations = 0;
  double change = 0;      ///< sum of the absolute changes in the last iteration
  bool converged = true;  ///< the last change was below the tolerance, or 0
  double sum = 0;         ///< sum of all ranks: 1 up to rounding
  double seconds_per_iteration = 0;
};

/// Collective: computes PageRank by pulling along in-arcs. The rank of vertices without outgoing
/// arcs is spread evenly over all vertices; each of several parallel arcs carries a share.
/// Cost of an iteration: as a pulled round of vertex_engine, and an allreduce of two numbers.
/// Source: L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank citation ranking, 1999.
pagerank_result pagerank(world& world, const local_graph& graph, const pagerank_options& options,
                         const engine_choice& engine = {});

}  // namespace far::apps
