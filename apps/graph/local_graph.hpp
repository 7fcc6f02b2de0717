#pragma once
// One rank's share of a distributed graph.
//
// Vertices are numbered 0 .. vertices-1 in the order of their ids, independent of the number of
// ranks. Rank r owns the vertices [starts[r], starts[r+1]) and their arcs; the ranges are chosen so
// that ranks have about equal work. The other end of an arc, if another rank owns it, is a ghost
// here.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace far::apps {

/// The arcs of own vertices in compressed rows: those of own vertex i are columns[offsets[i]] ..
/// columns[offsets[i + 1]], in the order of the other ends' numbers. A column is an own vertex
/// c < own(), or ghost c - own().
struct adjacency {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;  ///< one per column; empty if weights are absent or not wanted
};

struct local_graph {
  std::vector<std::uint64_t> starts;  ///< [ranks + 1], first vertex of each rank
  std::uint64_t vertices = 0;         ///< of the whole graph
  std::uint64_t edges = 0;            ///< of the whole graph; undirected ones count once
  std::vector<std::int64_t> ids;      ///< of own vertices, ascending
  bool undirected = false;            ///< each arc has its reverse
  bool weighted = false;              ///< the file has weights, and they were wanted

  adjacency in;   ///< arcs that lead into own vertices
  adjacency out;  ///< arcs that leave them, if they were wanted and are not the same: see outgoing
  std::vector<std::uint64_t> ghosts;  ///< numbers in the whole graph, ascending

  [[nodiscard]] std::size_t own() const { return ids.size(); }
  [[nodiscard]] std::uint64_t first(int rank) const {
    return starts[static_cast<std::size_t>(rank)];
  }
  /// Arcs that leave own vertices; without rows if they were not wanted.
  [[nodiscard]] const adjacency& outgoing() const {
    return undirected && out.offsets.empty() ? in : out;
  }
};

}  // namespace far::apps
