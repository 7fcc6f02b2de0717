// The generated graph: its edges do not depend on who makes them, and have the shares promised.
#include "apps/graph/rmat.hpp"

#include <set>

#include <gtest/gtest.h>

#include "apps/graph/load.hpp"
#include "apps/graph/test_arcs.hpp"
#include "apps/graph/test_graphs.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

std::vector<edge> edges_of(const rmat_settings& settings) {
  const rmat_generator edge_at(settings);
  std::vector<edge> edges;
  for (std::uint64_t e = 0; e < settings.edges(); ++e) edges.push_back(edge_at(e));
  return edges;
}

TEST(rmat, stays_in_its_range) {
  for (const int scale : {0, 1, 2, 3, 7, 12}) {
    const auto edges = edges_of({.scale = scale, .edge_factor = 3});
    EXPECT_EQ(edges.size(), std::size_t{3} << scale);
    for (const edge& e : edges) {
      EXPECT_TRUE(0 <= e.from && e.from < 1 << scale && 0 <= e.to && e.to < 1 << scale);
    }
  }
}

TEST(rmat, is_another_graph_for_each_seed) {
  std::set<std::vector<edge>> graphs;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    graphs.insert(edges_of({.scale = 5, .edge_factor = 2, .seed = seed}));
  }
  EXPECT_EQ(graphs.size(), 20U);
}

// Without the order of the vertices, which hides it, a vertex's expected degree is known: at each
// level a source is in the upper half with probability .76.
TEST(rmat, has_the_degrees_of_its_quadrants) {
  constexpr int scale = 10;
  constexpr std::uint64_t factor = 64;
  const auto edges = edges_of({.scale = scale, .edge_factor = factor});
  for (const bool outgoing : {false, true}) {
    std::vector<double> degrees(1 << scale, 0);
    for (const edge& e : edges) ++degrees[static_cast<std::size_t>(outgoing ? e.from : e.to)];
    std::vector<double> expected;
    for (unsigned v = 0; v < 1 << scale; ++v) {
      const int lower = std::popcount(v);
      expected.push_back(static_cast<double>(edges.size()) * std::pow(.76, scale - lower) *
                         std::pow(.24, lower));
    }
    std::sort(degrees.rbegin(), degrees.rend());
    std::sort(expected.rbegin(), expected.rend());
    // The vertex with the most edges, and all that have one lower half.
    EXPECT_NEAR(degrees[0], expected[0], 5 * std::sqrt(expected[0]));
    const double sum = std::accumulate(degrees.begin() + 1, degrees.begin() + 11, 0.0);
    EXPECT_NEAR(sum, 10 * expected[1], 5 * std::sqrt(10 * expected[1]));
  }
}

class rmat_on_ranks : public far::test::on_ranks {
 protected:
  rmat_on_ranks() {
    seeds = 2;
    allowed = far::test::run_size::any;
  }
};

TEST_P(rmat_on_ranks, is_the_same_graph_on_any_number_of_ranks) {
  const rmat_settings settings{.scale = 6, .edge_factor = 5, .seed = 7};
  std::vector<testing::id_arc> edges;
  for (const edge& e : edges_of(settings)) edges.push_back({e.from, e.to, 0});
  for (const bool undirected : {false, true}) {
    const graph_options options{.undirected = undirected};
    const auto expected = testing::expected_arcs(edges, options);
    run([&](far::world& world) {
      const local_graph graph =
          read_graph(world, {.rmat = settings}, options, {.outgoing = true}).graph;
      EXPECT_EQ(graph.vertices, 64U);
      for (const bool outgoing : {false, true}) {
        const auto found = testing::all_arcs(world, graph, outgoing);
        if (world.rank() == 0) {
          EXPECT_EQ(found, expected);
        }
      }
    });
  }
}

INSTANTIATE_FAR_MODES_ON(rmat_on_ranks, 1, 2, 3, 4);

}  // namespace
}  // namespace far::apps
