#pragma once
// The undirected graph under any graph: who is beside whom, without directions, loops and
// duplicates.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The neighbours of own vertices. Those of own vertex i are columns[offsets[i]] ..
/// columns[offsets[i + 1]], as in adjacency, in the order of their numbers.
struct neighbourhoods {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> columns;
  /// One per column: how many different arcs lead from one to the other, 1 or 2. Empty if the graph
  /// is undirected: then there are always 2.
  std::vector<std::uint8_t> arcs;

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t own) const {
    return {columns.data() + offsets[own], columns.data() + offsets[own + 1]};
  }
  [[nodiscard]] std::uint64_t degree(std::size_t own) const {
    return offsets[own + 1] - offsets[own];
  }
};

/// A directed graph must have its outgoing arcs.
/// Cost: linear, without communication; 4 bytes per neighbour, or 5.
[[nodiscard]] neighbourhoods neighbourhoods_of(const world& world, const local_graph& graph);

}  // namespace far::apps
