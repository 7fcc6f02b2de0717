// Core numbers on ranks of every kind.

#include <algorithm>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/cores.hpp"
#include "apps/graph/test_shapes.hpp"
#include "far/far.hpp"

namespace far::apps {
namespace {

using distributed_cores_test = testing::on_shapes;

TEST_P(distributed_cores_test, equals_the_oracle) {
  on_all_shapes([&](const testing::shape& s, const oracle::graph& known) {
    const auto right = oracle::cores(known);
    const std::uint64_t largest = right.empty() ? 0 : std::ranges::max(right);
    const auto count = static_cast<std::uint64_t>(std::ranges::count(right, largest));
    run_on(s, [&](far::world& world, const local_graph& graph) {
      const cores_result found = cores(world, graph);
      EXPECT_EQ(found.largest, largest);
      EXPECT_EQ(found.vertices, count);
      const auto numbers = gather_lists(world, found.cores);
      if (world.rank() != 0) return;
      EXPECT_EQ(numbers, right);
    });
  });
}

// The bounds of a path whose vertices alternate between two ranks fall one by one, from its ends.
TEST_P(distributed_cores_test, falls_along_a_path_over_ranks) {
  std::vector<edge> edges;
  const std::int64_t half = simulated() ? 4 : 40;
  for (std::int64_t v = 0; v < half; ++v) {
    edges.push_back({v, v + half});
    if (v + 1 < half) edges.push_back({v + half, v + 1});
  }
  // A ring keeps its bounds, and the path that hangs on it loses them.
  edges.push_back({1000, 1001});
  edges.push_back({1001, 1002});
  edges.push_back({1002, 1000});
  edges.push_back({1000, 0});
  run_on({edges}, [&](far::world& world, const local_graph& graph) {
    const cores_result found = cores(world, graph);
    EXPECT_EQ(found.largest, 2U);
    EXPECT_EQ(found.vertices, 3U);
    if (world.size() == 2 && !simulated()) {
      EXPECT_GT(found.rounds, half / 2);
    }
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_cores_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
