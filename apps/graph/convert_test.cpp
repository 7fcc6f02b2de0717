// Files that are written in parallel have the bytes that sequential code writes, on every fabric.

#include "apps/graph/convert.hpp"

#include <sstream>

#include "apps/common/test_files.hpp"
#include "apps/graph/load.hpp"
#include "apps/graph/test_formats.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::as_lines;
using testing::as_serialized;
using testing::expected_arcs;
using testing::id_arc;
using testing::random_weighted_edges;
using testing::temporary_file;

std::string bytes_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

class convert_test : public far::test::on_ranks {
 protected:
  convert_test() {
    seeds = 1;
    allowed = far::test::run_size::any;
  }

  /// Converts a text; returns the bytes of the file written.
  std::string converted(const std::string& text, const std::string& name, const std::string& to,
                        bool undirected = false, bool renumber = false) {
    const temporary_file file(text, name);
    const std::string output = file.folder() + "/" + to;
    run([&](far::world& world) {
      const output_format format = output_format_of(output);
      const load_options wanted{.weights = has_weights(format), .outgoing = true};
      const loaded_graph loaded =
          read_graph(world, {.file = file.path()}, {.undirected = undirected}, wanted);
      const written_file written =
          write_graph(world, loaded.graph, output, format, {loaded.first_id, renumber});
      EXPECT_EQ(written.bytes, std::filesystem::file_size(output));
      barrier(world);
    });
    EXPECT_FALSE(std::filesystem::exists(output + ".part"));
    return bytes_of(output);
  }

  std::string failure_of(const std::string& text, const std::string& to) {
    try {
      (void)converted(text, "g.txt", to);
    } catch (const bad_argument& failure) {
      const std::string what = failure.what();
      return what.substr(what.find(to) + to.size());
    }
    return "no failure";
  }
};

TEST_P(convert_test, writes_serialized_graphs) {
  auto edges = random_weighted_edges(1, 20, 60);
  edges.push_back({27, 3, 1});  // 20 to 26 are no vertices, but numbers of the file
  for (const bool undirected : {false, true}) {
    const auto arcs = expected_arcs(edges, {.undirected = undirected});
    EXPECT_EQ(converted(as_lines(edges, true), "g.txt", "g.sg", undirected),
              as_serialized(arcs, 28, !undirected, false));
    EXPECT_EQ(converted(as_lines(edges, true), "g.txt", "g.wsg", undirected),
              as_serialized(arcs, 28, !undirected, true));
    const std::string matrix = testing::as_matrix(edges, 30, true);
    EXPECT_EQ(converted(matrix, "g.mtx", "g.wsg", undirected),
              as_serialized(arcs, 30, !undirected, true));
  }
  EXPECT_EQ(converted("", "g.txt", "g.sg"), as_serialized({}, 0, true, false));
}

TEST_P(convert_test, renumbers_vertices) {
  std::vector<id_arc> edges = random_weighted_edges(2, 9, 40);
  for (std::int64_t v = 0; v < 9; ++v) edges.push_back({v, 8 - v, 1});
  std::vector<id_arc> scattered = edges;
  for (id_arc& e : scattered) e = {e.from * 1'000'000'007 - 5, e.to * 1'000'000'007 - 5, e.weight};
  EXPECT_EQ(converted(as_lines(scattered, true), "g.txt", "g.wsg", false, true),
            as_serialized(expected_arcs(edges, {}), 9, true, true));
}

TEST_P(convert_test, writes_text) {
  const auto edges = random_weighted_edges(3, 20, 60);
  EXPECT_EQ(converted(as_lines(edges, true), "g.txt", "g.wel"),
            as_lines(expected_arcs(edges, {}), true));
  EXPECT_EQ(converted(as_lines(edges, true), "g.txt", "g.el"),
            as_lines(expected_arcs(edges, {}), false));
  auto once = expected_arcs(edges, {.undirected = true});
  std::erase_if(once, [](const id_arc& a) { return a.to > a.from; });
  EXPECT_EQ(converted(as_lines(edges, true), "g.txt", "g.wel", true), as_lines(once, true));
}

TEST_P(convert_test, says_what_a_format_cannot_have) {
  EXPECT_EQ(failure_of("1 2\n", "g.wsg").substr(0, 26), ": this format has weights,");
  EXPECT_EQ(failure_of("1 2 .5\n", "g.wsg").substr(0, 29), ": an edge has weight 0.5, but");
  EXPECT_EQ(failure_of("1 2 3e9\n", "g.wsg").substr(0, 24), ": an edge has weight 300");
  EXPECT_EQ(failure_of("-1 2\n", "g.sg").substr(0, 36), ": a serialized graph has no vertex -");
  EXPECT_EQ(failure_of("1 2147483648\n", "g.sg").substr(0, 38),
            ": a serialized graph has no vertex 214");
  EXPECT_THROW((void)output_format_of("g.txt"), usage_error);
}

INSTANTIATE_FAR_MODES_ON(convert_test, 1, 2, 3, 4);

}  // namespace
}  // namespace far::apps
