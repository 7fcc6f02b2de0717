#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct cores_result {
  std::vector<std::uint64_t> cores;  ///< of own vertices
  std::uint64_t largest = 0;         ///< core number of all vertices
  std::uint64_t vertices = 0;        ///< vertices with that number
  int rounds = 0;                    ///< between ranks
  double seconds = 0;
};

/// Collective: core numbers. That of a vertex is the largest k such that it belongs to a part of
/// the undirected graph in which each vertex has k neighbours. Loops and duplicates do not count. A
/// directed graph is taken as undirected, and must have its outgoing arcs. `on_round(changed)` is
/// called on every rank, with the number of vertices that have told other ranks of a lower bound.
/// Method: the number of neighbours is an upper bound; a bound k falls while fewer than k
/// neighbours have bounds of k or more. Each rank lowers the bounds of its vertices until none
/// falls, then the ranks send each other those that fell and matter there, until there are none.
/// Cost: a vertex looks at its neighbours each time that its bound falls. A round sends 16 bytes
/// for each of those bounds and rank. The rounds are few in practice, but as many as vertices where
/// a chain of falling bounds changes the rank at each step.
/// Source: A. Montresor, F. De Pellegrini, D. Miorandi, Distributed k-core decomposition, 2013.
/// Checked by: distributed_cores_test.equals_the_oracle
cores_result cores(world& world, const local_graph& graph,
                   const std::function<void(std::uint64_t changed)>& on_round = {});

}  // namespace far::apps
