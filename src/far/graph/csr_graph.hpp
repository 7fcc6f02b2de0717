#pragma once
// A distributed graph in compressed sparse rows: one rank's share of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace far {

/// The arcs of own vertices in compressed rows: those of own vertex i are the columns from
/// offsets[i] up to offsets[i + 1], in the order of the other ends' numbers. A column is an own
/// vertex where it is less than own(), else ghost number column - own().
struct adjacency {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;  ///< one per column; empty if weights are absent or not wanted
};

/// The rank whose range [starts[r], starts[r + 1]) has this vertex. Cost: O(log ranks).
[[nodiscard]] inline int owner_of(const std::vector<std::uint64_t>& starts, std::uint64_t vertex) {
  const auto after = std::upper_bound(starts.begin(), starts.end(), vertex);
  return static_cast<int>(after - starts.begin()) - 1;
}

/// Vertices are numbers 0 .. vertices - 1. Rank r owns the vertices [starts[r], starts[r + 1]), and
/// has the arcs that lead into them (`in`) and, if they were wanted, those that leave them
/// (outgoing()). The other end of an arc, if another rank owns it, is a *ghost* here. make_graph
/// chooses the ranges so that ranks have about equal work.
/// Cost: in memory, 4 bytes an arc and direction, 8 more with weights; 8 a vertex; 8 a ghost.
struct csr_graph {
  std::vector<std::uint64_t> starts;  ///< [ranks + 1], first vertex of each rank
  std::uint64_t vertices = 0;         ///< of the whole graph
  std::uint64_t edges = 0;            ///< of the whole graph; undirected ones count once
  bool undirected = false;            ///< each arc has its reverse
  bool weighted = false;              ///< the rows have weights

  adjacency in;   ///< arcs that lead into own vertices
  adjacency out;  ///< arcs that leave them, if they were wanted and are not the same: see outgoing
  std::vector<std::uint64_t> ghosts;  ///< numbers in the whole graph, ascending

  [[nodiscard]] std::size_t own() const noexcept {
    return in.offsets.empty() ? 0 : in.offsets.size() - 1;
  }
  [[nodiscard]] std::uint64_t first(int rank) const {
    return starts[static_cast<std::size_t>(rank)];
  }
  /// Arcs that leave own vertices; without rows if they were not wanted.
  [[nodiscard]] const adjacency& outgoing() const noexcept {
    return undirected && out.offsets.empty() ? in : out;
  }
};

}  // namespace far
