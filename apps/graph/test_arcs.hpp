#pragma once
// Shared by tests: the arcs of a distributed graph, and what they should be.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/build.hpp"
#include "apps/graph/local_graph.hpp"

namespace far::apps::testing {

/// An arc by the ids of its vertices; the weight is 0 if there are none.
struct id_arc {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double weight = 0;

  friend auto operator<=>(const id_arc&, const id_arc&) = default;
};

/// Collective: all arcs on rank 0, sorted; of the rows of incoming or of outgoing ones.
/// Checks that each row is in the order of the other ends.
inline std::vector<id_arc> all_arcs(world& world, const local_graph& graph, bool outgoing) {
  const std::vector<std::int64_t> ids = allgatherv(world, graph.ids);
  const adjacency& rows = outgoing ? graph.outgoing() : graph.in;
  const std::uint64_t first = graph.first(world.rank());
  EXPECT_EQ(rows.offsets.size(), graph.own() + 1);
  EXPECT_EQ(rows.weights.size(), graph.weighted ? rows.columns.size() : 0);
  std::vector<id_arc> mine;
  for (std::size_t v = 0; v < graph.own(); ++v) {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (std::uint64_t a = rows.offsets[v]; a < rows.offsets[v + 1]; ++a) {
      const std::uint32_t column = rows.columns[a];
      const std::uint64_t other =
          column < graph.own() ? first + column : graph.ghosts.at(column - graph.own());
      const double weight = graph.weighted ? rows.weights[a] : 0;
      id_arc arc{ids.at(other), graph.ids[v], weight};
      EXPECT_LE(last, arc.from);
      last = arc.from;
      if (outgoing) std::swap(arc.from, arc.to);
      mine.push_back(arc);
    }
  }
  std::vector<id_arc> all = gather_lists(world, mine);
  std::sort(all.begin(), all.end());
  return all;
}

/// The arcs that the rules leave of these edges, sorted: computed with a map.
inline std::vector<id_arc> expected_arcs(const std::vector<id_arc>& edges,
                                         const graph_options& options, double reverse = 1) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> found;
  for (const id_arc& e : edges) {
    if (e.from == e.to && !options.keep_loops) continue;
    found[{e.from, e.to}].push_back(e.weight);
    if (options.undirected && e.from != e.to) found[{e.to, e.from}].push_back(reverse * e.weight);
  }
  std::vector<id_arc> arcs;
  for (auto& [ends, weights] : found) {
    std::sort(weights.begin(), weights.end());
    if (!options.keep_duplicates) weights.resize(1);
    for (const double weight : weights) arcs.push_back({ends.first, ends.second, weight});
  }
  return arcs;
}

}  // namespace far::apps::testing
