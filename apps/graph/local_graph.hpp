#pragma once
// One rank's share of a distributed graph.
//
// Vertices are numbered 0 .. vertices-1 in the order of their ids, independent of the number of
// ranks. Rank r owns the vertices [starts[r], starts[r+1]) and the arcs that lead into them; the
// ranges are chosen so that ranks have about equal work. An arc's source that another rank owns is
// a ghost here.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace far::apps {

struct local_graph {
  std::vector<std::uint64_t> starts;  ///< [ranks + 1], first vertex of each rank
  std::uint64_t vertices = 0;         ///< of the whole graph
  std::uint64_t edges = 0;            ///< of the whole graph; undirected ones count once
  std::vector<std::int64_t> ids;      ///< of own vertices, ascending

  /// In-arcs of own vertex i: columns[offsets[i]] .. columns[offsets[i + 1]]. A column is an own
  /// vertex c < own(), or ghost c - own().
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint64_t> ghosts;  ///< numbers in the whole graph, ascending

  [[nodiscard]] std::size_t own() const { return ids.size(); }
  [[nodiscard]] std::uint64_t first(int rank) const {
    return starts[static_cast<std::size_t>(rank)];
  }
};

}  // namespace far::apps
