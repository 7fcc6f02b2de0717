#pragma once
// The undirected graph under a graph, each edge only at its lower end: the one with fewer
// neighbours, of equals the one with the lower number. So no vertex has more than sqrt(2 edges)
// edges.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "apps/graph/neighbourhoods.hpp"
#include "far/far.hpp"

namespace far::apps {

/// A column has a place: its position in the order of (neighbours, number) among the columns of
/// this rank. So vertices with many neighbours, to which most edges lead, are beside each other.
struct oriented_rows {
  /// An edge, as its higher end knows it.
  struct source {
    std::uint32_t vertex;  ///< own vertex at the lower end
    std::uint32_t index;   ///< of the edge in that vertex's row
  };

  std::vector<std::uint32_t> column_at;  ///< by place
  std::vector<std::uint32_t> place_of;   ///< by column
  /// Edges at their lower ends, by own vertex: places of higher ends, ascending.
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint8_t> arcs;  ///< one per target, as those of neighbourhoods, or empty
  /// The same edges at their higher ends, by place.
  std::vector<std::uint64_t> source_offsets;
  std::vector<source> sources;

  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t own) const {
    return {targets.data() + offsets[own], targets.data() + offsets[own + 1]};
  }
  [[nodiscard]] std::span<const std::uint8_t> arcs_of_row(std::size_t own) const {
    if (arcs.empty()) return {};
    return {arcs.data() + offsets[own], arcs.data() + offsets[own + 1]};
  }
  [[nodiscard]] std::span<const source> sources_of(std::size_t place) const {
    return {sources.data() + source_offsets[place], sources.data() + source_offsets[place + 1]};
  }
};

/// Collective: orients all edges. Drops `arcs` unless they are wanted.
/// Cost: a ghost exchange, and sorting the columns; edges are put in order by counting. Memory: 12
/// bytes per edge, 1 more with arcs, and 16 per column.
[[nodiscard]] oriented_rows orient(world& world, const local_graph& graph,
                                   const neighbourhoods& neighbours, bool with_arcs);

}  // namespace far::apps
