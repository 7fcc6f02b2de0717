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

/// Collective: computes weakly connected components. Each rank joins vertices along its own arcs to
/// trees; then trees of different ranks that share a vertex are joined.
///
/// If arcs have their reverses, ranks look at two arcs of each vertex first. Most vertices are in
/// one component of the whole graph then, with a large tree on each rank, and ranks find out which
/// of these trees are joined with each other. Their vertices need no more arcs: one that leads out
/// of the component has a reverse, which its other end looks at.
///
/// Cost: at most a visit per arc; a request of 8 bytes, and its answer, for each ghost outside that
/// component, or for each ghost if arcs have no reverses; the rounds of tree_labels::join, twice.
/// Source: M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity computation via
/// subgraph sampling, IPDPS 2018, here for distributed memory.
components_result components(world& world, const local_graph& graph);

}  // namespace far::apps
