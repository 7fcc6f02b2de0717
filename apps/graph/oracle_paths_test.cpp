// The oracle's dependencies, compared with their definition: shares of shortest paths.

#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apps/graph/oracle.hpp"

namespace far::apps::oracle {
namespace {

/// Numbers of walks from `source`, by length and vertex: walks of the length of a shortest path are
/// the shortest paths.
std::vector<std::vector<double>> walks(const graph& g, std::size_t source) {
  std::vector<std::vector<double>> count(g.ids.size(), std::vector<double>(g.ids.size(), 0));
  count[0][source] = 1;
  for (std::size_t length = 1; length < count.size(); ++length) {
    for (const auto& [from, to] : g.arcs) count[length][to] += count[length - 1][from];
  }
  return count;
}

/// Length and number of the shortest paths to a vertex, or nothing.
std::optional<std::pair<std::size_t, double>> shortest(
    const std::vector<std::vector<double>>& walks_from, std::size_t to) {
  for (std::size_t length = 0; length < walks_from.size(); ++length) {
    if (walks_from[length][to] > 0) return std::pair(length, walks_from[length][to]);
  }
  return std::nullopt;
}

TEST(dependencies, are_shares_of_shortest_paths) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<edge> edges;
    for (int i = 0; i < 30; ++i) {
      edges.push_back(
          {static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(random() % 12)});
    }
    const graph g = build(edges, {.undirected = round % 2 == 0, .keep_duplicates = round % 3 == 0});
    std::vector<std::vector<std::vector<double>>> from;
    for (std::size_t v = 0; v < g.ids.size(); ++v) from.push_back(walks(g, v));
    const std::vector<std::uint32_t> sources{0, 3};
    const auto found = dependencies(g, sources);
    for (std::size_t v = 0; v < g.ids.size(); ++v) {
      double expected = 0;
      for (const std::uint32_t source : sources) {
        const auto there = shortest(from[source], v);
        if (v == source || !there) continue;
        for (std::size_t target = 0; target < g.ids.size(); ++target) {
          const auto onwards = shortest(from[v], target);
          if (target == v || !onwards) continue;
          const auto [length, paths] = *shortest(from[source], target);
          if (there->first + onwards->first != length) continue;
          expected += there->second * onwards->second / paths;
        }
      }
      EXPECT_NEAR(found[v], expected, 1e-12 * expected) << round << " " << v;
    }
  }
}

}  // namespace
}  // namespace far::apps::oracle
