// The distributed graph on every fabric, compared with the sequential oracle: graphs of every
// shape, also with fewer vertices than ranks.

#include <limits>

#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::expect_known;
using testing::know;
using testing::known_graph;

class distributed_graph_test : public far::test::on_ranks {
 protected:
  distributed_graph_test() {
    seeds = 8;
    allowed = far::test::run_size::any;  // PageRank takes a hundred iterations of any graph
  }

  [[nodiscard]] bool simulated() const { return GetParam().mode == job_mode::fibers; }

  void check(const known_graph& known) {
    run([&](far::world& world) { expect_known(world, known); });
  }

  /// Checks the graph under all combinations of rules.
  void check_all_rules(const std::vector<edge>& edges) {
    for (const bool undirected : {false, true}) {
      for (const bool duplicates : {false, true}) {
        for (const bool loops : {false, true}) {
          SCOPED_TRACE(::testing::Message() << "undirected " << undirected << ", duplicates "
                                            << duplicates << ", loops " << loops);
          check(know(edges, {undirected, duplicates, loops}));
        }
      }
    }
  }
};

TEST_P(distributed_graph_test, of_nothing) {
  check(know({}));
  check(know({}, {}, graph_header{}));
}

TEST_P(distributed_graph_test, of_one_vertex) {
  check(know({{7, 7}}));
  check(know({{7, 7}}, {.keep_loops = true}));
  check(know({{-7, -7}, {-7, -7}}, {.undirected = true, .keep_duplicates = true}));
  check(know({}, {}, graph_header{.vertices = 1}));
}

TEST_P(distributed_graph_test, follows_the_rules_for_duplicates_and_loops) {
  seeds = 1;
  check_all_rules({{1, 2}, {1, 2}, {2, 1}, {3, 3}, {3, 3}, {4, 3}, {5, 6}, {6, 5}, {8, 8}});
}

TEST_P(distributed_graph_test, spreads_the_rank_of_dangling_vertices) {
  check(know({{0, 1}}));
  check(know({{0, 1}, {2, 1}, {3, 4}, {4, 5}}));
  check(know({{1, 0}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}}));
}

TEST_P(distributed_graph_test, of_many_components) {
  std::vector<edge> edges;
  for (std::int64_t v = 0; v < 60; v += 3) {
    edges.push_back({v, v + 1});
    if (v % 2 == 0) edges.push_back({v + 2, v + 1});
    if (v % 4 == 0) edges.push_back({v + 2, v + 2});
  }
  check(know(edges));
  check(know(edges, {.undirected = true}));
}

TEST_P(distributed_graph_test, of_random_edges) {
  const int rounds = simulated() ? 1 : 6;
  for (int round = 0; round < rounds; ++round) {
    const auto seed = static_cast<std::uint32_t>(round);
    const auto edges = testing::random_edges(seed, 3 + 20 * round, 10 + 40 * round);
    check(know(edges, {.undirected = round % 2 == 0, .keep_duplicates = round % 3 == 0}));
    check(know(edges, {.keep_loops = true}));
  }
}

TEST_P(distributed_graph_test, of_many_random_edges) {
  seeds = 1;
  const std::int64_t vertices = simulated() ? 60 : 5000;
  auto edges = testing::random_edges(1, vertices, simulated() ? 200 : 30000);
  testing::scramble(edges, vertices, 2);
  check(know(edges));
  check(know(edges, {.undirected = true}));
}

TEST_P(distributed_graph_test, has_the_vertices_of_a_matrix) {
  const std::vector<edge> edges{{2, 1}, {3, 2}, {9, 9}, {8, 12}};
  check(know(edges, {}, graph_header{.vertices = 20, .entries = 4}));
  check(know(edges, {}, graph_header{.vertices = 20, .entries = 4, .symmetric = true}));
  check(know({}, {}, graph_header{.vertices = 5}));
  const auto many = testing::random_edges(3, 30, 50);
  std::vector<edge> entries;
  for (const edge& e : many) entries.push_back({e.from + 1, e.to + 1});
  check(know(entries, {.keep_duplicates = true}, graph_header{.vertices = 100, .entries = 50}));
}

TEST_P(distributed_graph_test, takes_any_ids) {
  constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  check(know({{min, max}, {max, 0}, {-1, min}, {-5, -4}, {max - 1, -5}}));
}

// Long chains across ranks: joining trees must not take a round per vertex.
TEST_P(distributed_graph_test, joins_paths_in_few_rounds) {
  seeds = 1;
  const std::int64_t vertices = simulated() ? 40 : 3000;
  auto edges = testing::path_edges(vertices);
  testing::scramble(edges, vertices, 5);
  const known_graph known = know(edges);
  run([&](far::world& world) { EXPECT_LE(expect_known(world, known), 12); });
}

TEST_P(distributed_graph_test, joins_stars_in_few_rounds) {
  seeds = 1;
  const std::int64_t vertices = simulated() ? 40 : 3000;
  auto edges = testing::star_edges(vertices);
  testing::scramble(edges, vertices, 6);
  for (const bool outwards : {false, true}) {
    if (outwards) {
      for (edge& e : edges) std::swap(e.from, e.to);
    }
    const known_graph known = know(edges);
    run([&](far::world& world) { EXPECT_LE(expect_known(world, known), 4); });
  }
}

// As from a pipe, which one rank reads alone.
TEST_P(distributed_graph_test, takes_all_edges_from_one_rank) {
  const known_graph known = know(testing::random_edges(9, 40, 100));
  run([&](far::world& world) {
    const bool mine = world.rank() == world.size() - 1;
    expect_known(world, known, mine ? known.edges : std::vector<edge>());
  });
}

TEST_P(distributed_graph_test, cuts_vertices_into_shares_of_equal_work) {
  if (simulated()) seeds = 1;
  const auto edges = testing::random_edges(4, 400, 4000);
  run([&](far::world& world) {
    std::vector<edge> mine = world.rank() == 0 ? edges : std::vector<edge>();
    const local_graph graph =
        build_graph(world, testing::store_of(mine), {.keep_duplicates = true});
    const std::uint64_t work = graph.in.columns.size() + 2 * graph.own();
    const auto size = static_cast<std::uint64_t>(world.size());
    EXPECT_LE(work * size, 2 * allreduce(world, work));
    EXPECT_EQ(graph.in.offsets.size(), graph.own() + 1);
    EXPECT_EQ(graph.in.offsets.back(), graph.in.columns.size());
  });
}

TEST_P(distributed_graph_test, ranks_alike_through_arrays) {
  seeds = 2;
  const known_graph known = know(testing::random_edges(3, 60, 300), {.undirected = true});
  run([&](far::world& world) {
    const local_graph graph =
        build_graph(world, testing::store_of(testing::share_of(world, known.edges)), known.options);
    testing::expect_ranks(world, graph, known, testing::small_array());
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_graph_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
