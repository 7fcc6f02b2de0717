#pragma once

#include <cstdint>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct components_result {
  std::vector<std::uint64_t> labels;  ///< of own vertices: smallest vertex of the component
  std::uint64_t count = 0;
  std::uint64_t largest = 0;  ///< vertices in the largest component
  int rounds = 0;             ///< of hooking between ranks
  double seconds = 0;
};

/// Collective. Weakly connected components: each rank joins what its own arcs join, then ranks
/// hook the roots of their trees to smaller ones with atomic minima, and shorten; O(log n) rounds
/// in practice.
/// Cost: a round brings each rank the labels of its ghosts, one put per neighbour, and takes a
/// round trip per link of the longest chain; its atomics are on their way at once.
/// Source: the hooking and shortcutting of Y. Shiloach, U. Vishkin, An O(log n) parallel
/// connectivity algorithm, 1982, on a graph contracted by a local union-find first.
components_result components(world& world, const local_graph& graph);

}  // namespace far::apps
