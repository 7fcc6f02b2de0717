#pragma once
// Breadth-first search as a plain C++ program for one machine, to compare far-graph with.

#include <cstdint>

#include "bench/baselines/csr_pagerank.hpp"

namespace far::bench {

struct bfs_result {
  std::uint64_t reached = 0;  ///< vertices, with the source
  std::uint64_t depth = 0;    ///< edges from the source to the farthest of them
  double ns = 0;
};

/// Each edge of the graph must have its reverse. Level by level, top-down; threads take parts of
/// the frontier.
[[nodiscard]] bfs_result csr_bfs(const csr_graph& graph, std::uint32_t source, unsigned threads);

}  // namespace far::bench
