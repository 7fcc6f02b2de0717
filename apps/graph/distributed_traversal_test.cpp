// Searches on ranks of every kind: equal to the oracle, and breadth-first a valid tree.

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/bfs.hpp"
#include "apps/graph/build.hpp"
#include "apps/graph/sssp.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

class distributed_traversal_test : public far::test::on_ranks {
 protected:
  distributed_traversal_test() { allowed = far::test::run_size::any; }
  [[nodiscard]] bool simulated() const { return GetParam().mode == far::job_mode::fibers; }

  /// Searches from some vertices.
  void check(const std::vector<edge>& edges, const graph_options& options) {
    const oracle::graph expected =
        oracle::build(edges, {options.undirected, options.keep_duplicates, options.keep_loops});
    const std::set<std::pair<std::uint64_t, std::uint64_t>> arcs(expected.arcs.begin(),
                                                                 expected.arcs.end());
    run([&](far::world& world) {
      const local_graph graph =
          build_graph(world, testing::store_of(testing::share_of(world, edges)), options, {}, true);
      for (std::uint64_t source = 0; source < graph.vertices; source += 1 + graph.vertices / 3) {
        expect_search(world, graph, expected, arcs, source, {});
        expect_search(world, graph, expected, arcs, source, testing::small_array());
      }
    });
  }

 private:
  static void expect_search(world& world, const local_graph& graph, const oracle::graph& expected,
                            const std::set<std::pair<std::uint64_t, std::uint64_t>>& arcs,
                            std::uint64_t source, const engine_choice& engine) {
    const bfs_result found = bfs(world, graph, source, {}, engine);
    const auto levels = gather_lists(world, found.levels);
    const auto parents = gather_lists(world, found.parents);
    if (world.rank() != 0) return;
    const auto right = oracle::levels(expected, static_cast<std::uint32_t>(source));
    ASSERT_EQ(levels.size(), right.size());
    std::uint64_t reached = 0, depth = 0;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      ASSERT_EQ(levels[v], right[v].value_or(not_reached)) << v;
      if (levels[v] == not_reached) {
        EXPECT_EQ(parents[v], not_reached);
        continue;
      }
      ++reached;
      depth = std::max(depth, levels[v]);
      if (v == source) {
        EXPECT_EQ(parents[v], source);
        continue;
      }
      // Graph500's rules: a parent is one level nearer, and an arc leads from it.
      ASSERT_EQ(levels.at(parents[v]) + 1, levels[v]) << v;
      EXPECT_TRUE(arcs.contains({parents[v], v})) << v;
    }
    EXPECT_EQ(found.reached, reached);
    EXPECT_EQ(found.depth, depth);
    EXPECT_EQ(found.rounds.all(), static_cast<int>(depth) + 1);
  }
};

TEST_P(distributed_traversal_test, equals_the_oracle) {
  if (simulated()) seeds = 40;
  const int rounds = simulated() ? 1 : 5;
  for (int round = 0; round < rounds; ++round) {
    const auto edges =
        testing::random_edges(static_cast<std::uint32_t>(round), 4 + 20 * round, 10 + 50 * round);
    check(edges, {.undirected = round % 2 == 0});
    check(edges, {.undirected = round % 2 == 1, .keep_duplicates = true, .keep_loops = true});
  }
}

// Many rounds of one active vertex are pushed; a star is pulled.
TEST_P(distributed_traversal_test, goes_along_paths_and_stars) {
  seeds = 1;
  const std::int64_t vertices = simulated() ? 12 : 300;
  auto path = testing::path_edges(vertices);
  check(path, {});
  testing::scramble(path, vertices, 5);
  check(path, {.undirected = true});
  check(testing::star_edges(vertices), {.undirected = true});
}

// Both ways of a round take place in one search, with the same result.
TEST_P(distributed_traversal_test, pulls_and_pushes) {
  if (simulated()) seeds = 5;
  const std::int64_t vertices = simulated() ? 20 : 400;  // of a dense part, and then a path
  const std::int64_t path = simulated() ? 4 : 60;
  std::vector<edge> edges = testing::random_edges(7, vertices, static_cast<int>(vertices) * 15);
  for (const edge& e : testing::path_edges(path)) {
    edges.push_back({e.from + vertices, e.to + vertices});
  }
  edges.push_back({0, vertices});
  check(edges, {});
  run([&](far::world& world) {
    const local_graph graph = build_graph(
        world, testing::store_of(world.rank() == 0 ? edges : std::vector<edge>()), {}, {}, true);
    const bfs_result found = bfs(world, graph, 0);
    EXPECT_GT(found.rounds.pulled, 0);
    EXPECT_GT(found.rounds.pushed, 0);
  });
}

TEST_P(distributed_traversal_test, distances_equal_the_oracle) {
  if (simulated()) seeds = 40;
  const int rounds = simulated() ? 1 : 5;
  for (int round = 0; round < rounds; ++round) {
    const auto edges =
        testing::random_edges(static_cast<std::uint32_t>(round), 4 + 20 * round, 10 + 50 * round);
    std::vector<double> weights;  // equal sums by different paths, zeros, and fractions
    for (std::size_t i = 0; i < edges.size(); ++i) {
      weights.push_back(static_cast<double>(i * 7 % 5) / (round % 2 == 0 ? 1 : 3));
    }
    const graph_options options{.undirected = round % 2 == 1};
    const oracle::graph expected =
        oracle::build(edges, {.undirected = options.undirected}, {}, {}, weights);
    run([&](far::world& world) {
      edge_store mine;
      const auto size = static_cast<std::size_t>(world.size());
      for (auto i = static_cast<std::size_t>(world.rank()); i < edges.size(); i += size) {
        mine.append(std::span(&edges[i], 1), std::span(&weights[i], 1));
      }
      const local_graph graph = build_graph(world, std::move(mine), options, {}, true);
      for (std::uint64_t source = 0; source < graph.vertices; source += 1 + graph.vertices / 3) {
        for (const engine_choice& engine : {engine_choice(), testing::small_array()}) {
          const sssp_result found = sssp(world, graph, source, {}, engine);
          const auto distances = gather_lists(world, found.distances);
          if (world.rank() != 0) continue;
          EXPECT_EQ(distances, oracle::distances(expected, static_cast<std::uint32_t>(source)));
        }
      }
    });
  }
}

TEST_P(distributed_traversal_test, weights_are_not_negative) {
  seeds = 1;
  run([](far::world& world) {
    edge_store mine;
    const edge one{0, 1};
    const double weight = -1;
    if (world.rank() == 0) mine.append(std::span(&one, 1), std::span(&weight, 1));
    const local_graph graph = build_graph(world, std::move(mine), {}, {}, true);
    EXPECT_THROW((void)sssp(world, graph, 0), bad_argument);
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_traversal_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
