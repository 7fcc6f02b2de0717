// Betweenness on ranks of every kind.

#include <numeric>
#include <optional>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/betweenness.hpp"
#include "apps/graph/sample_sources.hpp"
#include "apps/graph/test_shapes.hpp"
#include "far/far.hpp"

namespace far::apps {
namespace {

using distributed_betweenness_test = testing::on_shapes;

std::vector<std::uint64_t> all_vertices(const local_graph& graph) {
  std::vector<std::uint64_t> all(graph.vertices);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

TEST_P(distributed_betweenness_test, equals_the_oracle) {
  on_all_shapes([&](const testing::shape& s, const oracle::graph& known) {
    run_on(s, [&](far::world& world, const local_graph& graph) {
      const auto sources = sample_sources(world, graph, 3, 1);
      const auto values = gather_lists(world, betweenness(world, graph, sources).values);
      if (world.rank() != 0) return;
      const auto right = oracle::dependencies(known, {sources.begin(), sources.end()});
      ASSERT_EQ(values.size(), right.size());
      for (std::size_t v = 0; v < right.size(); ++v) {
        EXPECT_NEAR(values[v], right[v], 1e-9 * right[v]) << v;
      }
    });
  });
}

// Of a path, a star and a ring it is known: the number of pairs that a vertex is between.
TEST_P(distributed_betweenness_test, of_all_sources_is_exact) {
  const std::uint64_t n = simulated() ? 5 : 40;
  if (simulated()) allowed = far::test::run_size::any;
  const auto length = static_cast<std::int64_t>(n);
  const graph_options undirected{.undirected = true};
  const auto expect = [&](const std::vector<edge>& edges, const graph_options& options,
                          auto expected) {
    run_on({edges, options}, [&](far::world& world, const local_graph& graph) {
      const auto found = betweenness(world, graph, all_vertices(graph));
      for (std::uint64_t i = 0; i < graph.own(); ++i) {
        const double right = static_cast<double>(expected(graph.first(world.rank()) + i));
        EXPECT_NEAR(found.values[i], right, 1e-9 * right);
      }
    });
  };
  expect(testing::path_edges(length), {}, [&](std::uint64_t v) { return v * (n - 1 - v); });
  expect(testing::path_edges(length), undirected,
         [&](std::uint64_t v) { return 2 * v * (n - 1 - v); });
  expect(testing::star_edges(length), undirected,
         [&](std::uint64_t v) { return v == 0 ? (n - 1) * (n - 2) : 0; });
  auto ring = testing::path_edges(length);
  ring.push_back({length - 1, 0});
  expect(ring, {}, [&](std::uint64_t) { return (n - 1) * (n - 2) / 2; });
}

// Diamonds in a row: the number of shortest paths doubles at each.
TEST_P(distributed_betweenness_test, refuses_to_count_too_many_paths) {
  if (simulated()) GTEST_SKIP() << "the graph is too large for the simulator";
  const auto diamonds = [](std::int64_t count) {
    std::vector<edge> edges;
    for (std::int64_t d = 0; d < 3 * count; d += 3) {
      for (const std::int64_t middle : {d + 1, d + 2}) {
        edges.push_back({d, middle});
        edges.push_back({middle, d + 3});
      }
    }
    return edges;
  };
  run_on({diamonds(900)}, [&](far::world& world, const local_graph& graph) {
    const auto found = betweenness(world, graph, {0});
    const auto values = gather_lists(world, found.values);
    if (world.rank() != 0) return;
    EXPECT_NEAR(values[1], (2700 - 2) / 2.0, 1e-6);
    EXPECT_EQ(values[3], 2700 - 3);
  });
  run_on({diamonds(1100)}, [](far::world& world, const local_graph& graph) {
    EXPECT_THROW((void)betweenness(world, graph, {0}), bad_argument);
  });
}

TEST_P(distributed_betweenness_test, samples_do_not_depend_on_ranks) {
  seeds = 1;
  const auto edges = testing::random_edges(3, 60, 50);
  std::vector<std::uint64_t> with_arcs;
  const oracle::graph known = oracle::build(edges, {});
  for (const auto& [from, to] : known.arcs) {
    if (with_arcs.empty() || with_arcs.back() != from) with_arcs.push_back(from);
  }
  const std::vector<std::uint64_t> chosen{0, 13, 18, 26, 37};  // as on one rank
  run_on({edges}, [&](far::world& world, const local_graph& graph) {
    EXPECT_EQ(sample_sources(world, graph, 5, 7), chosen);
    EXPECT_NE(sample_sources(world, graph, 5, 8), chosen);
    EXPECT_EQ(sample_sources(world, graph, 1000, 7), with_arcs);
    EXPECT_EQ(sample_sources(world, graph, with_arcs.size(), 9), with_arcs);
  });
  run_on({{{3, 3}}}, [](far::world& world, const local_graph& graph) {
    EXPECT_TRUE(sample_sources(world, graph, 5, 7).empty());
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_betweenness_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
