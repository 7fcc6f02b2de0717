// Label propagation on ranks of every kind.

#include <set>
#include <vector>

#include "apps/common/gather_lists.hpp"
#include "apps/graph/build.hpp"
#include "apps/graph/communities.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

class distributed_communities_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] bool simulated() const { return GetParam().mode == far::job_mode::fibers; }

  void check(const std::vector<edge>& edges, const graph_options& options, int iterations) {
    const oracle::graph known =
        oracle::build(edges, {options.undirected, options.keep_duplicates, options.keep_loops});
    const auto right = oracle::communities(known, options.undirected, iterations);
    run([&](far::world& world) {
      const local_graph graph =
          build_graph(world, testing::store_of(testing::share_of(world, edges)), options, {}, true);
      const communities_result found = communities(world, graph, iterations);
      EXPECT_EQ(found.count, std::set(right.begin(), right.end()).size());
      EXPECT_LE(found.iterations, iterations);
      const auto labels = gather_lists(world, found.labels);
      if (world.rank() != 0) return;
      EXPECT_EQ(labels, std::vector<std::uint64_t>(right.begin(), right.end()));
    });
  }
};

TEST_P(distributed_communities_test, equals_the_oracle) {
  if (simulated()) seeds = 40;
  const int rounds = simulated() ? 1 : 6;
  for (int round = 0; round < rounds; ++round) {
    const auto edges =
        testing::random_edges(static_cast<std::uint32_t>(round), 4 + 20 * round, 10 + 50 * round);
    check(edges, {.undirected = round % 2 == 0}, round);
    check(edges, {.undirected = round % 2 == 1, .keep_duplicates = true, .keep_loops = true}, 3);
  }
}

// Of equally frequent labels the smallest wins, and vertices without neighbours keep theirs.
TEST_P(distributed_communities_test, ends_when_no_label_changes) {
  check({{1, 2}, {2, 3}, {3, 1}, {7, 8}, {8, 9}, {9, 7}, {3, 7}, {20, 20}}, {.undirected = true},
        50);
  check({}, {}, 5);
}

INSTANTIATE_FAR_MODES_ON(distributed_communities_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
