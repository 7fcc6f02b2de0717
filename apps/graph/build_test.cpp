// Rows of arcs, weights, and both directions, on every fabric: compared with arcs from a map. Ids
// of all three kinds of numbering.

#include <limits>
#include <random>

#include "apps/graph/test_arcs.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "far/graph/row_builder.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::all_arcs;
using testing::expected_arcs;
using testing::id_arc;

/// Random weighted edges; several have the same ends, also with the same weight.
std::vector<id_arc> weighted_edges(std::uint32_t seed, std::int64_t vertices, int count) {
  std::mt19937 random(seed);
  std::vector<id_arc> edges;
  for (const edge& e : testing::random_edges(seed, vertices, count)) {
    edges.push_back({e.from, e.to, static_cast<double>(random() % 4) / 2 - .5});
  }
  return edges;
}

/// This rank's part of the edges, dealt out in turn.
edge_store part_of_edges(const world& world, const std::vector<id_arc>& edges, bool weighted) {
  edge_store store;
  for (std::size_t i = static_cast<std::size_t>(world.rank()); i < edges.size();
       i += static_cast<std::size_t>(world.size())) {
    const edge one[] = {{edges[i].from, edges[i].to}};
    const double weight[] = {edges[i].weight};
    store.append(one, weighted ? std::span<const double>(weight) : std::span<const double>());
  }
  return store;
}

class build_test : public far::test::on_ranks {
 protected:
  build_test() {
    seeds = 2;
    allowed = far::test::run_size::any;
  }

  void check(const std::vector<id_arc>& edges, graph_options options, bool weighted,
             const std::optional<graph_header>& header = {}) {
    std::vector<id_arc> known = edges;
    if (!weighted) {
      for (id_arc& e : known) e.weight = 0;
    }
    graph_options rules = options;
    if (header && header->symmetric) rules.undirected = true;
    const auto expected = expected_arcs(known, rules, header && header->skew ? -1 : 1);
    run([&](far::world& world) {
      const local_graph graph = build_graph(world, part_of_edges(world, edges, weighted), options,
                                            {header, std::nullopt}, true);
      EXPECT_EQ(graph.weighted, weighted && !edges.empty());
      for (const bool outgoing : {false, true}) {
        const auto found = all_arcs(world, graph, outgoing);
        if (world.rank() == 0) {
          EXPECT_EQ(found, expected) << outgoing;
        }
      }
    });
  }

  void check_all_rules(const std::vector<id_arc>& edges) {
    for (const bool undirected : {false, true}) {
      for (const bool duplicates : {false, true}) {
        check(edges, {undirected, duplicates, undirected != duplicates}, true);
        check(edges, {undirected, duplicates, undirected == duplicates}, false);
      }
    }
  }
};

TEST_P(build_test, of_dense_ids) { check_all_rules(weighted_edges(1, 40, 300)); }

TEST_P(build_test, of_ids_without_gaps) {
  std::vector<id_arc> edges = weighted_edges(2, 10, 100);
  for (std::int64_t v = 0; v < 10; ++v) edges.push_back({v, 9 - v, 1});
  for (id_arc& e : edges) e = {e.from - 3, e.to - 3, e.weight};
  check_all_rules(edges);
}

TEST_P(build_test, of_scattered_ids) {
  std::vector<id_arc> edges = weighted_edges(3, 40, 300);
  for (id_arc& e : edges) {
    e.from = (e.from - 13) * 100'000'000'007;
    e.to = (e.to - 13) * 100'000'000'007;
  }
  check_all_rules(edges);
  constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  check({{min, max, 1}, {max, 0, 2}, {-1, min, 3}}, {}, true);
}

TEST_P(build_test, of_a_skew_matrix) {
  std::vector<id_arc> edges = weighted_edges(4, 20, 60);
  std::erase_if(edges, [](const id_arc& e) { return e.from <= e.to; });
  for (id_arc& e : edges) e = {e.from + 1, e.to + 1, e.weight};
  check(edges, {}, true,
        graph_header{.vertices = 25, .symmetric = true, .values = 1, .skew = true});
}

INSTANTIATE_FAR_MODES_ON(build_test, 1, 2, 3, 4);

// The numbers of graphs with more than 2^32 vertices, which no test can have.
TEST(row_builder, takes_numbers_of_64_bits) {
  constexpr std::uint64_t far_away = std::uint64_t{1} << 40;
  using arc = graphs::row_arc<std::uint64_t, true>;
  graphs::row_builder<arc> builder({far_away, 3, 2 * far_away}, 10);
  builder.add({0, far_away + 2, 1.5});
  builder.add({2, 7, 1});
  builder.add({0, 2 * far_away - 1, 2});
  builder.add({0, 7, 3});
  builder.add({0, far_away + 2, .5});
  std::vector<std::uint64_t> ghosts;
  const adjacency rows = builder.finish(false, ghosts);
  EXPECT_EQ(ghosts, (std::vector<std::uint64_t>{7, 2 * far_away - 1}));
  EXPECT_EQ(rows.offsets, (std::vector<std::uint64_t>{0, 3, 3, 4}));
  EXPECT_EQ(rows.columns, (std::vector<std::uint32_t>{3, 2, 4, 3}));
  EXPECT_EQ(rows.weights, (std::vector<double>{3, .5, 2, 1}));
}

TEST(edge_store, keeps_narrow_and_wide_edges) {
  edge_store store;
  std::vector<edge> edges;
  for (std::int64_t i = 0; i < 100'000; ++i) edges.push_back({i, i * 7 % 1000});
  const edge wide[] = {{-1, 5}, {std::int64_t{1} << 32, 6}};
  store.append(edges);
  store.append(wide);
  store.append(std::span(edges).first(3));
  EXPECT_EQ(store.size(), 100'005U);
  EXPECT_EQ(store.min_id(), -1);
  EXPECT_EQ(store.max_id(), std::int64_t{1} << 32);
  EXPECT_LT(store.bytes(), 1'200'000U);
  std::vector<edge> found;
  store.visit_all([&](const auto& block) {
    for (const auto& e : block.edges) found.push_back({std::int64_t{e.from}, std::int64_t{e.to}});
  });
  edges.insert(edges.end(), {{0, 0}, {1, 7}, {2, 14}});
  edges.insert(edges.end(), std::begin(wide), std::end(wide));
  EXPECT_EQ(found, edges);
}

TEST(id_set, knows_positions_and_members) {
  id_set set(-70, 300);
  const std::vector<std::int64_t> members{-70, -8, -7, -6, 57, 58, 121, 122, 229};
  for (const std::int64_t id : members) set.insert(id);
  set.seal();
  EXPECT_EQ(set.size(), members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(set.position(members[i]), i);
    for (std::size_t end = i; end <= members.size(); ++end) {
      EXPECT_EQ(set.members(i, end),
                std::vector<std::int64_t>(members.begin() + static_cast<std::ptrdiff_t>(i),
                                          members.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }
  EXPECT_TRUE(set.contains(57));
  EXPECT_FALSE(set.contains(56));
  EXPECT_FALSE(set.contains(100'000));
  EXPECT_FALSE(set.contains(-100));
}

}  // namespace
}  // namespace far::apps
