// A graph from a file of each format equals the one that a map holds, on every fabric, with weights
// and in both directions.

#include <array>

#include "apps/common/test_files.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/test_formats.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::all_arcs;
using testing::as_dimacs;
using testing::as_lines;
using testing::as_matrix;
using testing::as_metis;
using testing::as_serialized;
using testing::expected_arcs;
using testing::gzip;
using testing::id_arc;
using testing::random_weighted_edges;
using testing::temporary_file;

std::vector<id_arc> shifted(std::vector<id_arc> arcs, std::int64_t by) {
  for (id_arc& a : arcs) a = {a.from + by, a.to + by, a.weight};
  return arcs;
}

std::vector<id_arc> without_weights(std::vector<id_arc> arcs) {
  for (id_arc& a : arcs) a.weight = 0;
  return arcs;
}

class formats_test : public far::test::on_ranks {
 protected:
  formats_test() {
    seeds = 1;
    allowed = far::test::run_size::any;
  }

  /// Loads a file with and without weights, and compares. `edges`: as the file has them, with its
  /// ids; `vertices`: how many the graph has.
  void check(const std::string& path, const std::vector<id_arc>& edges, std::uint64_t vertices,
             graph_options options, bool weighted) {
    SCOPED_TRACE(path);
    const std::array expected{expected_arcs(without_weights(edges), options),
                              expected_arcs(weighted ? edges : without_weights(edges), options)};
    run([&](far::world& world) {
      for (const bool wanted : {false, true}) {
        const local_graph graph =
            read_graph(world, {.file = path}, options, {.weights = wanted, .outgoing = true}).graph;
        EXPECT_EQ(graph.vertices, vertices);
        EXPECT_EQ(graph.weighted, wanted && weighted);
        EXPECT_EQ(graph.undirected, options.undirected);
        for (const bool outgoing : {false, true}) {
          const auto found = all_arcs(world, graph, outgoing);
          if (world.rank() == 0) {
            EXPECT_EQ(found, expected[wanted ? 1 : 0]) << wanted << outgoing;
          }
        }
      }
    });
  }

  /// The same for bytes, under several rules.
  void check_rules(const std::string& bytes, const std::string& name,
                   const std::vector<id_arc>& edges, std::uint64_t vertices, bool weighted) {
    const temporary_file file(bytes, name);
    for (const bool undirected : {false, true}) {
      check(file.path(), edges, vertices, {.undirected = undirected}, weighted);
    }
    check(file.path(), edges, vertices, {false, true, true}, weighted);
  }
};

TEST_P(formats_test, edge_lists) {
  auto edges = random_weighted_edges(1, 20, 60);
  for (std::int64_t v = 0; v < 20; ++v) edges.push_back({v, v / 2, .5});
  check_rules(as_lines(edges, true), "g.txt", edges, 20, true);
  check_rules(as_lines(edges, false), "g.tsv", without_weights(edges), 20, false);
  check_rules(gzip("# weighted\n\n" + as_lines(edges, true)), "g.wel.gz", edges, 20, true);
}

TEST_P(formats_test, matrices) {
  const auto edges = random_weighted_edges(2, 20, 60);
  check_rules(as_matrix(edges, 25, true), "g.mtx", shifted(edges, 1), 25, true);
  check_rules(as_matrix(edges, 25, false), "g.mtx", without_weights(shifted(edges, 1)), 25, false);
  const temporary_file symmetric(as_matrix(edges, 25, true, "symmetric"), "g.mtx");
  check(symmetric.path(), shifted(edges, 1), 25, {.undirected = true}, true);
}

TEST_P(formats_test, dimacs) {
  const auto edges = random_weighted_edges(3, 20, 60);
  check_rules(as_dimacs(edges, 22), "g.gr", shifted(edges, 1), 22, true);
  check_rules(as_dimacs({}, 3), "g", {}, 3, false);
  check_rules(gzip(as_dimacs(edges, 22)), "g.gr.gz", shifted(edges, 1), 22, true);
}

TEST_P(formats_test, metis) {
  const auto edges = random_weighted_edges(4, 20, 60);
  const auto arcs = expected_arcs(edges, {.undirected = true});
  for (const bool vertex_weights : {false, true}) {
    for (const bool weighted : {false, true}) {
      const std::string text = as_metis(arcs, 23, weighted, vertex_weights) + "\n\n";
      for (const std::string& bytes : {text, gzip(text)}) {
        const temporary_file file(bytes, "g.graph");
        const auto expected = shifted(weighted ? arcs : without_weights(arcs), 1);
        check(file.path(), expected, 23, {.undirected = true}, weighted);
        check(file.path(), expected, 23, {.undirected = true, .keep_loops = true}, weighted);
      }
    }
  }
  const temporary_file empty(as_metis({}, 0, false, false), "g.metis");
  check(empty.path(), {}, 0, {.undirected = true}, false);
}

TEST_P(formats_test, ldbc) {
  for (const std::int64_t factor : {std::int64_t{1}, std::int64_t{1'000'000'000'003}}) {
    auto edges = random_weighted_edges(5, 20, 60);
    for (id_arc& e : edges) e = {e.from * factor, e.to * factor, e.weight};
    const temporary_file file(as_lines(edges, true), "g.e");
    std::string vertices;
    for (std::int64_t v = 24; v-- > 0;) vertices += fmt::format("{}\n", v * factor);
    std::ofstream(file.folder() + "/g.v") << vertices;
    for (const char* name : {"/g.e", "/g.v"}) {
      check(file.folder() + name, edges, 24, {}, true);
    }
    std::ofstream(file.folder() + "/g.properties")
        << "# of a graph\ngraph.g.vertex-file = g.v\n\ngraph.g.directed = false\n";
    run([&](far::world& world) {
      const auto graph = read_graph(world, {.file = file.path()}, {}, {.weights = true}).graph;
      EXPECT_TRUE(graph.undirected);
      const auto found = all_arcs(world, graph, true);
      if (world.rank() == 0) {
        EXPECT_EQ(found, expected_arcs(edges, {.undirected = true}));
      }
    });
  }
}

TEST_P(formats_test, serialized) {
  const auto edges = random_weighted_edges(6, 20, 60);
  for (const bool weighted : {false, true}) {
    const std::string name = weighted ? "g.wsg" : "g.sg";
    const auto known = weighted ? edges : without_weights(edges);
    check_rules(as_serialized(known, 24, true, weighted), name, known, 24, weighted);
    const auto arcs = expected_arcs(known, {.undirected = true});
    const temporary_file file(as_serialized(arcs, 24, false, weighted), name);
    check(file.path(), arcs, 24, {.undirected = true}, weighted);
  }
  check_rules(as_serialized({}, 0, true, false), "g.sg", {}, 0, false);
}

INSTANTIATE_FAR_MODES_ON(formats_test, 1, 2, 3, 4);

}  // namespace
}  // namespace far::apps
