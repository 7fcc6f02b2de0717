#include "apps/graph/oriented_rows.hpp"

#include <algorithm>
#include <numeric>

#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// Numbers of neighbours, by column.
std::vector<std::uint64_t> degrees_of(world& world, const local_graph& graph,
                                      const neighbourhoods& neighbours) {
  ghost_exchange<std::uint64_t> exchange(world, graph);
  for (std::size_t v = 0; v < graph.own(); ++v) exchange.next()[v] = neighbours.degree(v);
  exchange.bring();
  return {exchange.values().begin(), exchange.values().end()};
}

/// Columns in the order of (degree, number).
std::vector<std::uint32_t> ordered_columns(const local_graph& graph, int rank,
                                           const std::vector<std::uint64_t>& degrees) {
  struct key {
    std::uint64_t degree;
    std::uint64_t number;
    std::uint32_t column;
  };
  std::vector<key> keys;
  keys.reserve(degrees.size());
  for (std::uint32_t c = 0; c < degrees.size(); ++c) {
    keys.push_back(
        {degrees[c], c < graph.own() ? graph.first(rank) + c : graph.ghosts[c - graph.own()], c});
  }
  std::ranges::sort(keys, [](const key& a, const key& b) {
    return a.degree != b.degree ? a.degree < b.degree : a.number < b.number;
  });
  std::vector<std::uint32_t> columns;
  columns.reserve(keys.size());
  for (const key& k : keys) columns.push_back(k.column);
  return columns;
}

/// Sums of counts: [i] becomes the sum of those before i; the last is the sum of all.
void sum_up(std::vector<std::uint64_t>& counts) {
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::uint64_t{0});
}

}  // namespace

oriented_rows orient(world& world, const local_graph& graph, const neighbourhoods& neighbours,
                     bool with_arcs) {
  oriented_rows rows;
  rows.column_at = ordered_columns(graph, world.rank(), degrees_of(world, graph, neighbours));
  rows.place_of.resize(rows.column_at.size());
  for (std::uint32_t p = 0; p < rows.column_at.size(); ++p) rows.place_of[rows.column_at[p]] = p;

  // Calls visit(own vertex, place of the higher end, index of the neighbour) for each edge.
  const auto each_edge = [&](auto visit) {
    for (std::uint32_t v = 0; v < graph.own(); ++v) {
      for (std::uint64_t i = neighbours.offsets[v]; i < neighbours.offsets[v + 1]; ++i) {
        const std::uint32_t place = rows.place_of[neighbours.columns[i]];
        if (place > rows.place_of[v]) visit(v, place, i);
      }
    }
  };
  rows.offsets.assign(graph.own() + 1, 0);
  rows.source_offsets.assign(rows.column_at.size() + 1, 0);
  each_edge([&](std::uint32_t v, std::uint32_t place, std::uint64_t) {
    ++rows.offsets[v];
    ++rows.source_offsets[place];
  });
  sum_up(rows.offsets);
  sum_up(rows.source_offsets);

  with_arcs = with_arcs && !neighbours.arcs.empty();
  rows.sources.resize(rows.source_offsets.back());
  std::vector<std::uint8_t> arcs_of_sources(with_arcs ? rows.sources.size() : 0);
  std::vector<std::uint64_t> to(rows.source_offsets);
  each_edge([&](std::uint32_t v, std::uint32_t place, std::uint64_t i) {
    const std::uint64_t at = to[place]++;
    rows.sources[at].vertex = v;
    if (with_arcs) arcs_of_sources[at] = neighbours.arcs[i];
  });
  // In the order of places, each row is filled in that order.
  rows.targets.resize(rows.sources.size());
  rows.arcs.resize(arcs_of_sources.size());
  std::vector<std::uint32_t> filled(graph.own(), 0);
  for (std::uint32_t place = 0; place < rows.column_at.size(); ++place) {
    for (std::uint64_t s = rows.source_offsets[place]; s < rows.source_offsets[place + 1]; ++s) {
      oriented_rows::source& edge = rows.sources[s];
      edge.index = filled[edge.vertex]++;
      rows.targets[rows.offsets[edge.vertex] + edge.index] = place;
      if (with_arcs) rows.arcs[rows.offsets[edge.vertex] + edge.index] = arcs_of_sources[s];
    }
  }
  return rows;
}

}  // namespace far::apps
