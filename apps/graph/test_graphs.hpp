#pragma once
// Shared by tests of the distributed computations: graphs of known shapes, and the comparison with
// the sequential oracle.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/build.hpp"
#include "apps/graph/components.hpp"
#include "apps/graph/oracle.hpp"
#include "apps/graph/pagerank.hpp"
#include "apps/graph/reader_types.hpp"
#include "apps/graph/top.hpp"

namespace far::apps::testing {

/// A graph, and the oracle's results for it.
struct known_graph {
  std::vector<edge> edges;
  graph_options options;
  std::optional<graph_header> matrix;

  oracle::graph graph;
  oracle::pagerank_result pagerank;
  oracle::components_result components;
};

inline known_graph know(std::vector<edge> edges, graph_options options = {},
                        std::optional<graph_header> matrix = {}) {
  known_graph known{std::move(edges), options, matrix, {}, {}, {}};
  const oracle::graph_rules rules{options.undirected, options.keep_duplicates, options.keep_loops};
  known.graph = oracle::build(known.edges, rules, matrix);
  known.pagerank = oracle::pagerank(known.graph);
  known.components = oracle::components(known.graph);
  return known;
}

/// This rank's edges, if they are distributed round-robin.
inline std::vector<edge> share_of(const world& world, const std::vector<edge>& edges) {
  const auto size = static_cast<std::size_t>(world.size());
  std::vector<edge> mine;
  for (auto i = static_cast<std::size_t>(world.rank()); i < edges.size(); i += size) {
    mine.push_back(edges[i]);
  }
  return mine;
}

inline edge_store store_of(const std::vector<edge>& edges) {
  edge_store store;
  store.append(edges);
  return store;
}

inline double sum_of_differences(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

/// The engine on cached arrays with small chunks, and the protocol also where ranks share memory.
inline engine_choice small_array() {
  return {engine_kind::array, {.chunk = 16, .force_protocol = true}};
}

inline void expect_ranks(world& world, const local_graph& graph, const known_graph& known,
                         const engine_choice& engine) {
  const pagerank_result found = pagerank(world, graph, {}, engine);
  const auto top = top_vertices(world, graph, found.ranks, 7);
  const auto ranks = gather_lists(world, found.ranks);
  if (known.graph.ids.empty()) {
    EXPECT_EQ(found.iterations, 0);
  } else {
    EXPECT_NEAR(found.sum, 1, 1e-12);
    EXPECT_NEAR(found.iterations, known.pagerank.iterations, 1);
  }
  if (world.rank() != 0) return;
  ASSERT_EQ(ranks.size(), known.pagerank.ranks.size());
  EXPECT_LE(sum_of_differences(ranks, known.pagerank.ranks), 1e-9);
  // Ranks that are equal in the oracle may differ here in the last bit; so let the oracle order the
  // ranks found.
  std::vector<std::int64_t> ids;
  for (const top_vertex& v : top) ids.push_back(v.id);
  std::vector<std::int64_t> expected;
  for (const std::uint32_t v : oracle::top(ranks, 7)) expected.push_back(known.graph.ids[v]);
  EXPECT_EQ(ids, expected);
}

/// Returns the number of rounds of hooking between ranks.
inline int expect_components(world& world, const local_graph& graph, const known_graph& known) {
  const components_result found = components(world, graph);
  EXPECT_EQ(found.count, known.components.count);
  EXPECT_EQ(found.largest, known.components.largest);
  const auto labels = gather_lists(world, found.labels);
  if (world.rank() == 0) {
    std::vector<std::int64_t> ids;
    for (const std::uint64_t label : labels) ids.push_back(known.graph.ids.at(label));
    EXPECT_EQ(ids, known.components.labels);
  }
  return found.rounds;
}

/// Collective: builds the graph from all ranks' edges, and compares it and its results.
/// Returns the number of rounds that components took.
inline int expect_known(world& world, const known_graph& known, std::vector<edge> mine) {
  const local_graph graph =
      build_graph(world, store_of(mine), known.options, {known.matrix, std::nullopt});
  EXPECT_EQ(graph.vertices, known.graph.ids.size());
  EXPECT_EQ(graph.edges, known.graph.edges);
  EXPECT_EQ(graph.starts.size(), static_cast<std::size_t>(world.size()) + 1);
  const auto ids = gather_lists(world, graph.ids);
  if (world.rank() == 0) {
    EXPECT_EQ(ids, known.graph.ids);
  }
  expect_ranks(world, graph, known, {});
  return expect_components(world, graph, known);
}

/// The same, with the edges distributed round-robin.
inline int expect_known(world& world, const known_graph& known) {
  return expect_known(world, known, share_of(world, known.edges));
}

/// Random edges between `vertices` vertices, low ones more frequent: includes loops, duplicates,
/// and vertices without in-edges, out-edges or both.
inline std::vector<edge> random_edges(std::uint32_t seed, std::int64_t vertices, int edges) {
  std::mt19937_64 random(seed);
  const auto vertex = [&] {
    const auto v = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(vertices));
    return random() % 3 == 0 ? v / 8 : v;
  };
  std::vector<edge> result;
  for (int i = 0; i < edges; ++i) result.push_back({vertex(), vertex()});
  return result;
}

/// Renames vertices 0 .. n-1 in random order; some names are negative.
inline void scramble(std::vector<edge>& edges, std::int64_t vertices, std::uint32_t seed) {
  std::vector<std::int64_t> names(static_cast<std::size_t>(vertices));
  std::iota(names.begin(), names.end(), -vertices / 3);
  std::shuffle(names.begin(), names.end(), std::mt19937_64(seed));
  for (edge& e : edges) {
    e = {names[static_cast<std::size_t>(e.from)] * 1'000'003,
         names[static_cast<std::size_t>(e.to)] * 1'000'003};
  }
}

inline std::vector<edge> path_edges(std::int64_t vertices) {
  std::vector<edge> edges;
  for (std::int64_t v = 1; v < vertices; ++v) edges.push_back({v - 1, v});
  return edges;
}

/// All edges lead to vertex 0.
inline std::vector<edge> star_edges(std::int64_t vertices) {
  std::vector<edge> edges;
  for (std::int64_t v = 1; v < vertices; ++v) edges.push_back({v, 0});
  return edges;
}

}  // namespace far::apps::testing
