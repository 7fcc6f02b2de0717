#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct components_result {
  std::vector<std::uint64_t> labels;  ///< by own vertex: smallest vertex of its component
  std::uint64_t count = 0;
  std::uint64_t largest = 0;  ///< vertices in the largest component
  int rounds = 0;             ///< rounds of hooking between ranks
  double seconds = 0;
};

/// Collective: computes weakly connected components. Each rank first joins vertices along its own
/// arcs. Then ranks hook the roots of their trees to smaller roots with atomic minima, and shorten
/// the chains; this takes O(log n) rounds in practice.
/// Cost: a round sends each rank the labels of its ghosts, one put per neighbour, and takes a
/// round trip per link of the longest chain; a round's atomics are in flight at the same time.
/// Source: the hooking and shortcutting of Y. Shiloach, U. Vishkin, An O(log n) parallel
/// connectivity algorithm, 1982, on a graph contracted by a local union-find first.
components_result components(world& world, const local_graph& graph);

}  // namespace far::apps
