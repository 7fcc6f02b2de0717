// The oracle itself, compared with independent results: computed by hand, from linear algebra, and
// from the sources of real graphs.
#include "apps/graph/oracle.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/graph/reader.hpp"

namespace far::apps::oracle {
namespace {

using testing::shared_data;
using testing::source_file;

graph read(const std::string& path, graph_rules rules = {}) {
  whole_graph g = read_whole_graph(path);
  return build(std::move(g.edges), rules, g.header);
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(graph_rules, decide_which_edges_count) {
  const std::vector<edge> edges = {{1, 2}, {1, 2}, {2, 1}, {3, 3}, {3, 3}, {4, 3}};
  const auto count = [&](graph_rules rules) { return build(edges, rules).edges; };
  EXPECT_EQ(count({}), 3U);
  EXPECT_EQ(count({.keep_duplicates = true}), 4U);
  EXPECT_EQ(count({.keep_loops = true}), 4U);
  EXPECT_EQ(count({.keep_duplicates = true, .keep_loops = true}), 6U);
  EXPECT_EQ(count({.undirected = true}), 2U);
  EXPECT_EQ(count({.undirected = true, .keep_duplicates = true}), 4U);
  EXPECT_EQ(count({.undirected = true, .keep_loops = true}), 3U);
  EXPECT_EQ(build(edges, {}).ids, (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(graph_rules, keep_vertices_of_dropped_edges) {
  const graph g = build({{7, 7}}, {});
  EXPECT_EQ(g.ids, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(g.edges, 0U);
  EXPECT_EQ(components(g).count, 1U);
  EXPECT_EQ(pagerank(g).ranks, (std::vector<double>{1.0}));
}

TEST(graph_rules, count_isolated_vertices_of_a_matrix) {
  const graph directed = read(source_file("test/data/graph/general.mtx"));
  EXPECT_EQ(directed.ids.size(), 5U);
  EXPECT_EQ(directed.edges, 3U);
  EXPECT_EQ(components(directed).count, 3U);
  const graph symmetric = read(source_file("test/data/graph/symmetric.mtx"));
  EXPECT_EQ(symmetric.edges, 3U);
  EXPECT_EQ(symmetric.arcs.size(), 6U);
  EXPECT_EQ(components(symmetric).count, 2U);
}

TEST(pagerank, of_nothing_is_nothing) {
  const pagerank_result result = pagerank(build({}, {}));
  EXPECT_TRUE(result.ranks.empty());
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(components(build({}, {})).count, 0U);
  EXPECT_EQ(components(build({}, {})).largest, 0U);
}

// a -> b, b dangling. With damping d the ranks solve a = (1-d)/2 + d b/2 and a + b = 1.
TEST(pagerank, spreads_the_rank_of_dangling_vertices) {
  const pagerank_result result = pagerank(build({{0, 1}}, {}));
  const double d = 0.85;
  const double a = 0.5 / (1 + d / 2);
  ASSERT_EQ(result.ranks.size(), 2U);
  EXPECT_NEAR(result.ranks[0], a, 1e-10);
  EXPECT_NEAR(result.ranks[1], 1 - a, 1e-10);
}

TEST(pagerank, of_a_ring_is_even_at_once) {
  const pagerank_result result = pagerank(build({{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {}));
  EXPECT_EQ(result.iterations, 1);
  for (const double rank : result.ranks) EXPECT_DOUBLE_EQ(rank, 0.25);
}

// A star of k leaves that point to the centre: leaf = (1-d)/n + d c/n, c + k leaf = 1.
TEST(pagerank, of_a_star_is_its_closed_form) {
  const int k = 9;
  std::vector<edge> edges;
  for (int leaf = 1; leaf <= k; ++leaf) edges.push_back({leaf, 0});
  const pagerank_result result = pagerank(build(edges, {}));
  const double n = k + 1, d = 0.85;
  const double centre = (1 - k * (1 - d) / n) / (1 + k * d / n);
  EXPECT_NEAR(result.ranks[0], centre, 1e-10);
  EXPECT_NEAR(result.ranks[5], (1 - centre) / k, 1e-10);
}

TEST(pagerank, gives_parallel_edges_a_share_each) {
  const std::vector<edge> edges = {{0, 1}, {0, 1}, {0, 2}, {1, 0}, {2, 0}};
  const auto single = pagerank(build(edges, {})).ranks;
  EXPECT_DOUBLE_EQ(single[1], single[2]);
  // x1 = t + 2/3 d x0, x2 = t + 1/3 d x0 with t = (1-d)/3.
  const auto parallel = pagerank(build(edges, {.keep_duplicates = true})).ranks;
  EXPECT_NEAR(parallel[1], 0.05 + 0.85 * 2 / 3 * parallel[0], 1e-9);
  EXPECT_NEAR(parallel[2], 0.05 + 0.85 / 3 * parallel[0], 1e-9);
}

// The defining equation, on graphs of every shape: r = (1-d)/n + d (A^T r + dangling/n).
TEST(pagerank, is_a_fixed_point_that_sums_to_one) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<edge> edges;
    const auto range = static_cast<std::int64_t>(1 + random() % 40);
    for (auto i = static_cast<int>(random() % 120); i > 0; --i) {
      edges.push_back({static_cast<std::int64_t>(random()) % range,
                       static_cast<std::int64_t>(random()) % range});
    }
    const graph_rules rules{.undirected = round % 2 == 0,
                            .keep_duplicates = round % 3 == 0,
                            .keep_loops = round % 5 == 0};
    const graph g = build(edges, rules);
    if (g.ids.empty()) continue;
    const pagerank_result result = pagerank(g);
    EXPECT_NEAR(sum_of(result.ranks), 1, 1e-12);
    EXPECT_LT(result.change, 1e-10);
    const double n = static_cast<double>(g.ids.size());
    std::vector<double> degree(g.ids.size()), expected(g.ids.size());
    for (const auto& [from, to] : g.arcs) ++degree[from];
    for (const auto& [from, to] : g.arcs) expected[to] += result.ranks[from] / degree[from];
    double dangling = 0, error = 0;
    for (std::size_t v = 0; v < degree.size(); ++v) {
      if (degree[v] == 0) dangling += result.ranks[v];
    }
    for (std::size_t v = 0; v < degree.size(); ++v) {
      error += std::abs(0.15 / n + 0.85 * (expected[v] + dangling / n) - result.ranks[v]);
    }
    EXPECT_LT(error, 1e-10);
  }
}

TEST(pagerank, stops_at_the_iterations_it_may_take) {
  const graph g = build({{0, 1}, {1, 2}, {0, 2}}, {});
  EXPECT_EQ(pagerank(g, {.max_iterations = 3}).iterations, 3);
  EXPECT_EQ(pagerank(g, {.max_iterations = 0}).iterations, 0);
  EXPECT_GT(pagerank(g, {.tolerance = 1e-14}).iterations, pagerank(g).iterations);
}

TEST(components, are_weak_and_named_by_their_smallest_id) {
  const graph g = read(source_file("test/data/graph/example.txt"));
  EXPECT_EQ(g.ids, (std::vector<std::int64_t>{-3, 7, 10, 20, 30, 40, 9223372036854775807}));
  EXPECT_EQ(g.edges, 6U);
  const components_result result = components(g);
  EXPECT_EQ(result.labels, (std::vector<std::int64_t>{-3, 7, 10, 10, 10, 10, -3}));
  EXPECT_EQ(result.count, 3U);
  EXPECT_EQ(result.largest, 4U);
}

TEST(top, orders_by_rank_and_then_by_id) {
  EXPECT_EQ(top({0.1, 0.4, 0.1, 0.4}, 3), (std::vector<std::uint32_t>{1, 3, 0}));
  EXPECT_EQ(top({0.5}, 10), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(top({0.5}, 0).empty());
}

struct real_graph {
  const char* file;
  bool undirected;
  std::uint64_t vertices, edges, components;
};

void check(const real_graph& known) {
  const std::string path = shared_data(known.file);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set FAR_TEST_DATA";
  const graph g = read(path, {.undirected = known.undirected});
  EXPECT_EQ(g.ids.size(), known.vertices);
  EXPECT_EQ(g.edges, known.edges);
  EXPECT_EQ(components(g).count, known.components);
  EXPECT_NEAR(sum_of(pagerank(g).ranks), 1, 1e-9);
}

TEST(real_graphs, wiki_vote) { check({"wiki-Vote.txt.xz", false, 7115, 103689, 24}); }
TEST(real_graphs, email_enron) { check({"email-enron-und.el.xz", true, 36692, 183831, 1065}); }
// 14 of its 1,342,310 lines are self-loops.
TEST(real_graphs, ego_twitter) { check({"ego-twitter-und.el.xz", true, 81306, 1342296, 1}); }

}  // namespace
}  // namespace far::apps::oracle
