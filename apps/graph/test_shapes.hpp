#pragma once
// Graphs on which tests compare a computation with the oracle: random ones, R-MAT, and special
// ones.

#include <cstdint>
#include <vector>

#include "apps/graph/build.hpp"
#include "apps/graph/oracle.hpp"
#include "apps/graph/rmat.hpp"
#include "apps/graph/test_graphs.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps::testing {

struct shape {
  std::vector<edge> edges;
  graph_options options = {};
};

/// Each pair of vertices once.
inline std::vector<edge> clique_edges(std::int64_t vertices) {
  std::vector<edge> edges;
  for (std::int64_t v = 0; v < vertices; ++v) {
    for (std::int64_t w = v + 1; w < vertices; ++w) edges.push_back({v, w});
  }
  return edges;
}

/// Smaller ones, and fewer random ones, if `simulated`.
inline std::vector<shape> shapes(bool simulated) {
  const std::int64_t length = simulated ? 9 : 200;
  const graph_options undirected{.undirected = true};
  const graph_options all{.keep_duplicates = true, .keep_loops = true};
  auto path = path_edges(length);
  scramble(path, length, 5);
  auto clique = clique_edges(simulated ? 7 : 25);
  scramble(clique, simulated ? 7 : 25, 6);
  // Two triangles with a common edge and ids far apart, loops, duplicates and isolated vertices.
  const std::vector<edge> mixed = {{3, 900}, {900, 70}, {70, 3}, {70, 3}, {3, 70},  {-5, 3},
                                   {-5, 70}, {3, 3},    {3, 3},  {8, 8},  {-9, -9}, {900, 3}};
  std::vector<shape> result = {{{}},
                               {{{4, 4}}},
                               {path},
                               {path, undirected},
                               {clique},
                               {star_edges(length)},
                               {mixed},
                               {star_edges(length), undirected},
                               {mixed, all},
                               {mixed, undirected},
                               {clique, undirected}};
  result.push_back({mixed, {.undirected = true, .keep_duplicates = true, .keep_loops = true}});
  for (int round = 0; round < (simulated ? 1 : 5); ++round) {
    const auto edges = random_edges(static_cast<std::uint32_t>(round), 4 + 20 * round,
                                    (simulated ? 20 : 10) + 150 * round);
    result.push_back({edges});
    result.push_back({edges, all});
    result.push_back({edges, undirected});
  }
  const rmat_settings settings{.scale = simulated ? 4 : 9, .edge_factor = 4};
  const rmat_generator edge_at(settings);
  std::vector<edge> rmat;
  for (std::uint64_t e = 0; e < settings.edges(); ++e) rmat.push_back(edge_at(e));
  result.push_back({rmat});
  result.push_back({rmat, undirected});
  return result;
}

/// A fixture for these graphs.
class on_shapes : public far::test::on_ranks {
 protected:
  [[nodiscard]] bool simulated() const { return GetParam().mode == far::job_mode::fibers; }

  /// Builds a graph on ranks, with outgoing arcs, and calls body(world, graph).
  template <class Body>
  void run_on(const shape& s, Body body) {
    if (simulated()) seeds = 5;
    run([&](far::world& world) {
      const local_graph graph =
          build_graph(world, store_of(share_of(world, s.edges)), s.options, {}, true);
      body(world, graph);
    });
  }

  /// Calls test(shape, the oracle's graph) for each graph.
  template <class Test>
  void on_all_shapes(Test test) {
    for (const shape& s : shapes(simulated())) {
      const graph_options& o = s.options;
      test(s, oracle::build(s.edges, {o.undirected, o.keep_duplicates, o.keep_loops}));
    }
  }
};

}  // namespace far::apps::testing
