// A graph from a file of each format equals the one that a map holds, on every fabric, with weights
// and in both directions; and each kind of bad input is one clear line.

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
    for (const bool wanted : {false, true}) {
      const bool stored = wanted && weighted;
      const auto expected = expected_arcs(stored ? edges : without_weights(edges), options);
      run([&](far::world& world) {
        const local_graph graph =
            read_graph(world, {.file = path}, options, {.weights = wanted, .outgoing = true}).graph;
        EXPECT_EQ(graph.vertices, vertices);
        EXPECT_EQ(graph.weighted, stored);
        EXPECT_EQ(graph.undirected, options.undirected);
        for (const bool outgoing : {false, true}) {
          const auto found = all_arcs(world, graph, outgoing);
          if (world.rank() == 0) {
            EXPECT_EQ(found, expected) << outgoing;
          }
        }
      });
    }
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

  std::string failure_of(const std::string& bytes, const std::string& name) {
    const temporary_file file(bytes, name);
    return failure_of_file(file.path());
  }
  std::string failure_of_file(const std::string& path) {
    try {
      run([&](far::world& world) {
        (void)read_graph(world, {.file = path}, {}, {.weights = true, .outgoing = true});
      });
    } catch (const bad_argument& failure) {
      const std::string what = failure.what();
      EXPECT_EQ(what.find('\n'), what.npos) << what;
      return what.starts_with(path) ? what.substr(path.size()) : what;
    }
    return "no failure";
  }

  void refuse(const std::string& bytes, const std::string& name, const std::string& start) {
    const std::string failure = failure_of(bytes, name);
    EXPECT_TRUE(failure.starts_with(start)) << failure;
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

TEST_P(formats_test, bad_weights) {
  refuse("1 2 .5\n2 3\n", "g.txt", ":2:4: no weight, which the file's first edge has; ");
  refuse("# c\n1 2\n2 3 1\n", "g.txt", ":3:5: a weight, which the file's first edge lacks; ");
  refuse("1 2 .5\n2 3 nan\n", "g.txt", ":2:5: expected a weight, found NaN");
  refuse("1 2 .5\n2 3 inf\n", "g.txt", ":2:5: expected a weight, found a number outside");
  refuse("1 2 .5\n2 3 x\n", "g.txt", ":2:5: expected a weight, found 'x'");
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n3 3 1\n";
  refuse(banner + "1 2 NaN\n", "g.mtx", ":3:5: expected the entry's value, found NaN");
  refuse(banner + "1 2\n", "g.mtx", ":3:4: expected the entry's value, found the end");
}

TEST_P(formats_test, bad_dimacs_files) {
  const std::string head = "c x\np sp 3 2\na 1 2 5\n";
  refuse(head + "a 2 3 -1\n", "g.gr", ":4:7: negative weight");
  refuse(head + "a 2 3 nan\n", "g.gr", ":4:7: expected the arc's weight, found NaN");
  refuse(head + "a 2 3\n", "g.gr", ":4:6: expected the arc's weight, found the end");
  refuse(head + "a 2 4 1\n", "g.gr", ":4:5: vertex 4 outside 1..3");
  refuse(head + "e 2 3 1\n", "g.gr", ":4:1: expected an arc");
  refuse(head, "g.gr", ": the header promises 2 entries, the file has 1;");
  refuse("c only\n", "g.gr", ": ends before the line with the graph's size");
  refuse("p max 3 2\n", "g.gr", ":1:3: a problem that is not 'sp'");
  refuse("a 1 2 3\n", "g.gr", ":1:1: expected the line 'p sp VERTICES ARCS'");
  refuse("p sp 1152921504606846976 0\n", "g.gr",
         ": the header promises 1152921504606846976 vertic");
}

TEST_P(formats_test, bad_metis_files) {
  refuse("3 2\n2\n1 3\n2\n1\n", "g.graph", ":5:1: a line after that of vertex 3");
  refuse("4 2\n2\n1 3\n2\n", "g.graph",
         ": the header promises 4 vertices, the file has lines for 3");
  refuse("3 3\n2\n1 3\n2\n", "g.graph",
         ": the header promises 3 edges, each in two lists, the list");
  refuse("3 2\n2\n1 4\n2\n", "g.graph", ":3:3: vertex 4 outside 1..3");
  refuse("3 1 1\n2 -1\n1 1\n\n", "g.graph", ":2:3: negative weight");
  refuse("3 1 1\n2 nan\n1 1\n\n", "g.graph", ":2:3: expected the weight of the edge, found NaN");
  refuse("3 1 1\n2\n1 1\n\n", "g.graph", ":2:2: expected the weight of the edge, found the end");
  refuse("3 1 2\n2\n1\n\n", "g.graph", ":1:5: unknown format");
  refuse("% only\n", "g.graph", ": ends before the line with the graph's size");
  refuse("1152921504606846976 0\n", "g.graph",
         ": the header promises 1152921504606846976 vertices");
  const std::string failure = failure_of("3 2\n2\n3 3\n2 1\n", "g.graph");
  EXPECT_NE(failure.find("neighbours"), failure.npos) << failure;
}

TEST_P(formats_test, bad_ldbc_files) {
  const temporary_file file("1 2\n\n2 3\n3 7\n", "g.e");
  EXPECT_EQ(failure_of_file(file.path()).substr(0, 5), file.folder().substr(0, 5));  // names g.v
  std::ofstream(file.folder() + "/g.v") << "1\n2\n3\n";
  EXPECT_EQ(failure_of_file(file.path()),
            ":4:3: vertex 7 is not in " + file.folder() + "/g.v; add it there, or remove the edge");
  std::ofstream(file.folder() + "/g.v") << "1\n2\n3\n3000000000000\n";
  EXPECT_EQ(failure_of_file(file.path()).substr(0, 16), ":4:3: vertex 7 i");
  std::ofstream(file.folder() + "/g.v") << "1\n2 5\n3\n";
  const std::string failure = failure_of_file(file.folder() + "/g.v");
  EXPECT_EQ(failure.substr(0, 22), ":2:3: a second column;");
}

TEST_P(formats_test, bad_serialized_files) {
  const std::vector<id_arc> arcs{{0, 1, 1}, {1, 2, 2}, {2, 0, 3}};
  const std::string good = as_serialized(arcs, 3, true, false);
  const auto changed = [&](std::size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(&bytes[at], &value, sizeof value);
    return bytes;
  };
  EXPECT_EQ(failure_of(good, "g.sg"), "no failure");
  for (const std::size_t length : {std::size_t{18}, std::size_t{60}, good.size() - 1}) {
    refuse(good.substr(0, length), "g.sg", ": the header promises 3 vertices and 3 arcs, which ta");
  }
  refuse(good.substr(0, 9), "g.sg", ": has 9 bytes, less than the 17 of the head");
  refuse("", "g.sg", ": has 0 bytes, less than");
  refuse(good + "x", "g.sg",
         ": the header promises 3 vertices and 3 arcs, which take 105 bytes, bu");
  refuse(changed(9, std::int64_t{1} << 60), "g.sg",
         ": the header promises 1152921504606846976 vertices, but the format has at most");
  refuse(changed(1, std::int64_t{1} << 60), "g.sg",
         ": the header promises 1152921504606846976 arcs");
  refuse(changed(1, std::int64_t{-1}), "g.sg", ": the header promises 3 vertices and -1 arcs");
  refuse(changed(0, 'x'), "g.sg", ": begins with 'x', where a serialized graph has 0 or 1");
  refuse(changed(25, std::int64_t{3}), "g.sg", ": the offset of vertex 2's row is 2, less than");
  refuse(changed(25, std::int64_t{-1}), "g.sg", ": the offset of vertex ");
  refuse(changed(17, std::int64_t{1}), "g.sg",
         ": the offset of vertex 0's row is 1, but the first");
  refuse(changed(41, std::int64_t{2}), "g.sg", ": the offset of vertex 3's row is 2, but the last");
  refuse(changed(53, std::int32_t{3}), "g.sg", ": neighbour 3 of vertex 1 is outside 0..2");
  refuse(changed(97, std::int32_t{-1}), "g.sg", ": neighbour -1 of vertex 1 is outside 0..2");
  refuse(good, "g.wsg", ": has the size of a graph without weights; give it the ending sg");
  refuse(gzip(good), "g.sg", ": is packed");
  refuse(changed(49, std::int32_t{2}), "g.sg", ": has an arc in its outgoing rows and not in its");
  refuse(as_serialized(arcs, 3, false, false), "g.sg",
         ": is undirected, but an edge is in the row");
}

INSTANTIATE_FAR_MODES_ON(formats_test, 1, 2, 3, 4);

}  // namespace
}  // namespace far::apps
