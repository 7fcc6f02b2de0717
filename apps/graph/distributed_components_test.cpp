// Components on every fabric, compared with the sequential oracle: graphs of which most vertices
// are in one component, so that ranks skip arcs, and graphs that mislead them about it.

#include "apps/graph/column_forest.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::know;
using testing::known_graph;

class distributed_components_test : public far::test::on_ranks {
 protected:
  distributed_components_test() {
    seeds = 4;
    allowed = far::test::run_size::any;
  }

  [[nodiscard]] std::int64_t size_of(std::int64_t simulated, std::int64_t real) const {
    return GetParam().mode == job_mode::fibers ? simulated : real;
  }

  /// Checks the graph as an undirected and as a directed one.
  void check(const std::vector<edge>& edges, std::optional<graph_header> matrix = {},
             int max_rounds = 12) {
    for (const bool undirected : {true, false}) {
      SCOPED_TRACE(undirected ? "undirected" : "directed");
      const known_graph known = know(edges, {.undirected = undirected}, matrix);
      run([&](far::world& world) {
        const local_graph graph =
            build_graph(world, testing::store_of(testing::share_of(world, edges)), known.options,
                        {matrix, std::nullopt});
        EXPECT_LE(testing::expect_components(world, graph, known), max_rounds);
      });
    }
  }
};

/// Adds random edges between `count` vertices from `first` on.
void add_dense_part(std::vector<edge>& edges, std::int64_t first, std::int64_t count,
                    std::uint32_t seed) {
  for (const edge& e : testing::random_edges(seed, count, static_cast<int>(8 * count))) {
    edges.push_back({first + e.from, first + e.to});
  }
  for (std::int64_t v = 1; v < count; ++v) edges.push_back({first + v / 2, first + v});
}

TEST_P(distributed_components_test, of_a_dense_part_among_small_ones) {
  const std::int64_t dense = size_of(40, 2000);
  std::vector<edge> edges;
  add_dense_part(edges, 0, dense, 1);
  for (std::int64_t v = dense; v < 2 * dense; v += 4) {
    edges.push_back({v, v + 1});
    edges.push_back({v + 3, v + 1});
    if (v % 3 == 0) edges.push_back({v + 2, v % dense});  // of the dense part after all
  }
  check(edges);
  testing::scramble(edges, 2 * dense + 4, 2);
  check(edges);
}

// The edge between the halves is neither end's first, and most vertices are in one of them.
TEST_P(distributed_components_test, of_two_dense_halves) {
  const std::int64_t half = size_of(32, 1000);
  for (const std::int64_t joined : {0, 1, 2}) {
    SCOPED_TRACE(joined);
    std::vector<edge> edges;
    add_dense_part(edges, 0, half, 3);
    add_dense_part(edges, half, half, 4);
    for (std::int64_t i = 0; i < joined; ++i) edges.push_back({half - 1 - i, 2 * half - 1 - i});
    check(edges);
    testing::scramble(edges, 2 * half, 5);
    check(edges);
  }
}

// Each rank's largest tree is one of its own, which no other rank's vertices are in; but all are in
// one component if a last vertex joins them.
TEST_P(distributed_components_test, of_a_dense_part_for_each_rank) {
  const std::int64_t part = size_of(10, 200);
  const std::int64_t parts = GetParam().count;
  std::vector<edge> edges;
  for (std::int64_t p = 0; p < parts; ++p) {
    add_dense_part(edges, p * part, part, static_cast<std::uint32_t>(p));
  }
  check(edges);
  for (std::int64_t p = 0; p < parts; ++p) edges.push_back({p * part + part / 2, parts * part});
  check(edges);
}

// Vertices whose only neighbours are other ranks', and which hang on each other.
TEST_P(distributed_components_test, of_a_dense_part_with_long_tails) {
  const std::int64_t dense = size_of(24, 800);
  const std::int64_t tails = 8;
  std::vector<edge> edges;
  add_dense_part(edges, 0, dense, 6);
  for (std::int64_t v = dense; v < 2 * dense; ++v) {
    // Tails of neighbouring vertices, which go to and fro between two distant ones.
    const std::int64_t tail = v % tails;
    edges.push_back({v, v - tails < dense ? dense - 1 - tail : v - tails});
  }
  check(edges);
  testing::scramble(edges, 2 * dense, 7);
  check(edges);
}

TEST_P(distributed_components_test, of_paths_in_every_order) {
  seeds = 1;
  const std::int64_t vertices = size_of(32, 2000);
  std::vector<edge> edges = testing::path_edges(vertices);
  check(edges, {}, 3);
  // Every step leads to another rank, if there is one: 0, n/2, 1, n/2 + 1, ...
  for (edge& e : edges) {
    for (std::int64_t* v : {&e.from, &e.to}) *v = *v / 2 + *v % 2 * (vertices / 2);
  }
  check(edges);
  edges = testing::path_edges(vertices);
  testing::scramble(edges, vertices, 8);
  check(edges);
}

TEST_P(distributed_components_test, of_vertices_without_edges) {
  check({{3, 2}, {2, 90}, {90, 91}, {50, 91}}, graph_header{.vertices = 100, .entries = 4});
  check({{100, 1}}, graph_header{.vertices = 100, .entries = 1});
  check({}, graph_header{.vertices = 30});
}

INSTANTIATE_FAR_MODES_ON(distributed_components_test, 1, 2, 3, 4, 8);

TEST(column_forest_test, has_the_smallest_column_as_root) {
  constexpr std::uint32_t columns = 300;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    column_forest trees(columns);
    std::vector<edge> edges;
    for (std::int64_t v = 0; v < columns; ++v) edges.push_back({v, v});
    for (const edge& e : testing::random_edges(seed, columns, static_cast<int>(20 * seed))) {
      trees.link(static_cast<std::uint32_t>(e.from), static_cast<std::uint32_t>(e.to));
      edges.push_back(e);
    }
    trees.flatten();
    const known_graph known = know(edges);
    for (std::size_t v = 0; v < columns; ++v) {
      EXPECT_EQ(trees.root(v), known.components.labels[v]) << seed;
    }
  }
}

}  // namespace
}  // namespace far::apps
