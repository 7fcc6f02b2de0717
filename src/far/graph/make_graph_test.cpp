// Graphs of a program's own arcs, on every fabric: compared with arcs in a map.

#include "far/graph/make_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "far/base/error.hpp"
#include "far/graph/degrees.hpp"
#include "far/graph/test_arcs.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

using graphs::testing::random_arcs;
using graphs::testing::share_of;
using graphs::testing::vertex_of;

struct full_arc {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double weight = 0;
  friend auto operator<=>(const full_arc&, const full_arc&) = default;
};

/// Collective: the arcs of all ranks, sorted.
std::vector<full_arc> arcs_in(const world& world, const csr_graph& graph, bool outgoing) {
  const adjacency& rows = outgoing ? graph.outgoing() : graph.in;
  EXPECT_EQ(rows.offsets.size(), graph.own() + 1);
  EXPECT_EQ(graph.own(), graph.first(world.rank() + 1) - graph.first(world.rank()));
  std::vector<full_arc> mine;
  for (std::size_t v = 0; v < graph.own(); ++v) {
    const std::uint64_t own = graph.first(world.rank()) + v;
    for (std::uint64_t a = rows.offsets[v]; a < rows.offsets[v + 1]; ++a) {
      const std::uint64_t other = vertex_of(graph, world.rank(), rows.columns[a]);
      const double weight = graph.weighted ? rows.weights.at(a) : 0;
      mine.push_back(outgoing ? full_arc{own, other, weight} : full_arc{other, own, weight});
    }
  }
  std::vector<full_arc> all = allgatherv(world, mine);
  std::ranges::sort(all);
  return all;
}

std::vector<full_arc> arcs_by_the_rules(const std::vector<arc>& arcs,
                                        const std::vector<double>& weights,
                                        const graph_rules& rules) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> found;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const auto [from, to] = arcs[i];
    if (from == to && !rules.keep_loops) continue;
    const double weight = weights.empty() ? 0 : weights[i];
    found[{from, to}].push_back(weight);
    if (rules.undirected && from != to) found[{to, from}].push_back(weight);
  }
  std::vector<full_arc> result;
  for (auto& [ends, all] : found) {
    std::ranges::sort(all);
    if (!rules.keep_duplicates) all.resize(1);
    for (const double weight : all) result.push_back({ends.first, ends.second, weight});
  }
  return result;
}

class make_graph_test : public test::on_ranks {
 protected:
  make_graph_test() {
    seeds = 5;
    allowed = test::run_size::any;
  }
};

TEST_P(make_graph_test, rows_hold_the_arcs_of_all_ranks) {
  run([](world& w) {
    for (std::uint64_t round = 0; round < 8; ++round) {
      const std::uint64_t vertices = 1 + 13 * round;
      const std::vector<arc> arcs =
          random_arcs(round, vertices, static_cast<std::size_t>(40 * round));
      std::vector<double> weights;
      if (round % 2 == 1) {
        for (std::size_t i = 0; i < arcs.size(); ++i) {
          weights.push_back(static_cast<double>(i * 7 % 5));
        }
      }
      const graph_rules rules{(round & 2) != 0, (round & 4) != 0, round % 3 == 0};
      const csr_graph graph =
          make_graph(w, vertices, share_of(w, arcs), share_of(w, weights), rules);
      const auto expected = arcs_by_the_rules(arcs, weights, rules);
      EXPECT_EQ(graph.vertices, vertices);
      EXPECT_EQ(graph.weighted, !weights.empty());
      for (const bool outgoing : {false, true}) {
        EXPECT_EQ(arcs_in(w, graph, outgoing), expected) << round;
      }
      const auto edges = std::ranges::count_if(
          expected, [&](const full_arc& a) { return !rules.undirected || a.from <= a.to; });
      EXPECT_EQ(graph.edges, static_cast<std::uint64_t>(edges));
    }
  });
}

TEST_P(make_graph_test, degrees_are_those_of_the_arcs) {
  run([](world& w) {
    const std::vector<arc> arcs = random_arcs(3, 50, 300);
    std::vector<std::uint64_t> expected(50);
    for (const arc& one : arcs) ++expected[one.from];
    for (const bool outgoing : {true, false}) {
      const graph_rules rules{.keep_duplicates = true, .keep_loops = true, .outgoing = outgoing};
      const csr_graph graph = make_graph(w, 50, share_of(w, arcs), {}, rules);
      EXPECT_EQ(graph.outgoing().offsets.empty(), !outgoing);
      EXPECT_EQ(allgatherv(w, out_degrees(w, graph)), expected);
    }
  });
}

TEST_P(make_graph_test, wrong_arcs_are_refused_on_every_rank) {
  seeds = 1;
  run([](world& w) {
    const bool last = w.rank() == w.size() - 1;
    const arc good{0, 3}, bad{1, 4};
    const double weight = 1;
    const auto refused = [&](std::span<const arc> arcs, std::span<const double> weights,
                             std::uint64_t vertices) {
      EXPECT_THROW((void)make_graph(w, vertices, arcs, weights), bad_argument);
    };
    refused({last ? &bad : &good, 1}, {}, 4);
    refused({&good, 1}, {&weight, last ? 0U : 1U}, w.size() == 1 ? 3 : 4);
    refused({&good, last ? 0U : 1U}, {&weight, 1}, 4);
    if (w.size() > 1) refused({&good, 1}, {}, last ? 5 : 4);
  });
}

INSTANTIATE_FAR_MODES_ON(make_graph_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far
