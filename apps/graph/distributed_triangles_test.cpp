// Triangles and clustering coefficients on ranks of every kind.

#include <numeric>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/clustering.hpp"
#include "apps/graph/test_shapes.hpp"
#include "apps/graph/triangles.hpp"
#include "far/far.hpp"

namespace far::apps {
namespace {

using distributed_triangles_test = testing::on_shapes;

TEST_P(distributed_triangles_test, equals_the_oracle) {
  on_all_shapes([&](const testing::shape& s, const oracle::graph& known) {
    const auto right = oracle::triangles(known);
    run_on(s, [&](far::world& world, const local_graph& graph) {
      const triangles_result found = triangles(world, graph);
      EXPECT_EQ(found.count, std::accumulate(right.begin(), right.end(), std::uint64_t{0}) / 3);
      const auto through = gather_lists(world, found.through);
      if (world.rank() != 0) return;
      EXPECT_EQ(through, right);
    });
  });
}

TEST_P(distributed_triangles_test, clustering_equals_the_oracle) {
  on_all_shapes([&](const testing::shape& s, const oracle::graph& known) {
    const auto right = oracle::clustering(known);
    const double sum = std::accumulate(right.begin(), right.end(), 0.0);
    run_on(s, [&](far::world& world, const local_graph& graph) {
      const clustering_result found = clustering(world, graph);
      EXPECT_NEAR(found.mean, right.empty() ? 0 : sum / static_cast<double>(right.size()), 1e-12);
      const auto coefficients = gather_lists(world, found.coefficients);
      if (world.rank() != 0) return;
      ASSERT_EQ(coefficients.size(), right.size());
      for (std::size_t v = 0; v < right.size(); ++v) {
        EXPECT_NEAR(coefficients[v], right[v], 1e-12 * right[v]) << v;
      }
    });
  });
}

// A rank's share of rows is more than it fetches at once.
TEST_P(distributed_triangles_test, fetches_rows_in_batches) {
  if (simulated()) GTEST_SKIP() << "the graph is too large for the simulator";
  const std::int64_t vertices = 600;
  run_on({testing::clique_edges(vertices)}, [&](far::world& world, const local_graph& graph) {
    std::uint64_t seen = 0, last = 0;
    const auto found = triangles(world, graph, [&](std::uint64_t done, std::uint64_t all) {
      EXPECT_GE(done, seen);
      seen = done;
      last = all;
    });
    EXPECT_EQ(seen, last);
    const std::uint64_t n = vertices;
    EXPECT_EQ(found.count, n * (n - 1) * (n - 2) / 6);
    for (const std::uint64_t through : found.through) {
      EXPECT_EQ(through, (n - 1) * (n - 2) / 2);
    }
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_triangles_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
