// far-graph triangles, clustering, cores and bc as a user runs them.

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "apps/common/test_files.hpp"
#include "test/apps/programs.hpp"

namespace {

using far::apps::testing::source_file;
using far::apps::testing::temporary_file;
using far::test::built;
using far::test::expect_help;
using far::test::expect_progress;
using far::test::expect_refusals;
using far::test::json_of;
using far::test::keys_of;
using far::test::output_of;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

constexpr const char* kernels_program = "far-graph";

std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Two triangles with a common edge, a tail, and an isolated vertex.
constexpr const char* kite = "5 1\n1 2\n2 5\n5 9\n9 2\n9 12\n30 30\n";

TEST(far_graph_kernels, counts_triangles) {
  const temporary_file text(kite, "g.txt");
  const std::string file = text.folder() + "/triangles";
  for (const words& way : ways_to_run(kernels_program)) {
    const json found = json_of(with(
        way, {"triangles", "--json", "--undirected", "--verify", "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"vertices", "edges", "triangles", "directions_ignored",
                                     "seconds_triangles", "output", "vertices_written", "bytes",
                                     "verified"}));
    EXPECT_EQ(found["triangles"], 2);
    EXPECT_EQ(found["directions_ignored"], false);
    EXPECT_EQ(content_of(file), "1 1\n2 2\n5 2\n9 1\n12 0\n30 0\n");
    const std::string shown = output_of(with(way, {"triangles", text.path()}));
    EXPECT_NE(shown.find("\ndirections          ignored: edges are taken as undirected\n"
                         "triangles           2\n"),
              std::string::npos)
        << shown;
    const json many = json_of(with(way, {"triangles", "--json", "--rmat", "9", "--verify"}));
    EXPECT_GT(many["triangles"], 10000);
  }
}

TEST(far_graph_kernels, finds_clustering_coefficients) {
  const temporary_file text(kite, "g.txt");
  const std::string file = text.folder() + "/coefficients";
  for (const words& way : ways_to_run(kernels_program)) {
    const json found = json_of(with(
        way, {"clustering", "--json", "--undirected", "--verify", "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"vertices", "edges", "mean", "seconds_clustering", "output",
                                     "vertices_written", "bytes", "verified"}));
    EXPECT_NEAR(found["mean"].get<double>(), (1 + 2.0 / 3 + 2.0 / 3 + 1.0 / 3) / 6, 1e-12);
    EXPECT_EQ(
        content_of(file),
        "1 1\n2 0.6666666666666666\n5 0.6666666666666666\n9 0.3333333333333333\n12 0\n30 0\n");
    output_of(with(way, {"clustering", "--output", file, text.path()}));
    EXPECT_EQ(content_of(file),
              "1 0.5\n2 0.3333333333333333\n5 0.3333333333333333\n9 0.16666666666666666\n12 0\n"
              "30 0\n");
  }
}

TEST(far_graph_kernels, finds_cores) {
  const temporary_file text(kite, "g.txt");
  const std::string file = text.folder() + "/cores";
  for (const words& way : ways_to_run(kernels_program)) {
    const json found =
        json_of(with(way, {"cores", "--json", "--verify", "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found), (std::set<std::string>{
                                  "vertices", "edges", "largest_core", "vertices_in_largest_core",
                                  "rounds", "directions_ignored", "seconds_cores", "output",
                                  "vertices_written", "bytes", "verified"}));
    EXPECT_EQ(found["largest_core"], 2);
    EXPECT_EQ(found["vertices_in_largest_core"], 4);
    EXPECT_EQ(found["directions_ignored"], true);
    EXPECT_EQ(content_of(file), "1 2\n2 2\n5 2\n9 2\n12 1\n30 0\n");
    const std::string shown = output_of(with(way, {"cores", "--undirected", text.path()}));
    EXPECT_EQ(shown.find("directions"), std::string::npos) << shown;
    EXPECT_NE(shown.find("\nlargest core        2, of 4 vertices\n"), std::string::npos) << shown;
  }
}

// A square 5, 1, 2, 3 and an edge from 2 to 9: two shortest paths lead from 5 to 2 and to 9.
TEST(far_graph_kernels, finds_betweenness) {
  const temporary_file text("5 1\n1 2\n5 3\n3 2\n2 9\n# vertex 2 the middle\n", "g.txt");
  const std::string file = text.folder() + "/betweenness";
  for (const words& way : ways_to_run(kernels_program)) {
    const json found = json_of(with(way, {"bc", "--json", "--verify", "--source", "5", "--top", "2",
                                          "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"vertices", "edges", "sources", "seconds_bc", "top", "output",
                                     "vertices_written", "bytes", "verified"}));
    EXPECT_EQ(found["sources"], json::array({5}));
    EXPECT_EQ(content_of(file), "1 1\n2 1\n3 1\n5 0\n9 0\n");
    ASSERT_EQ(found["top"].size(), 2U);
    EXPECT_EQ(found["top"][1]["id"], 2);
    EXPECT_EQ(found["top"][1]["betweenness"], 1);
    EXPECT_EQ(found["top"][1]["name"], "the middle");
    const std::string shown =
        output_of(with(way, {"bc", "--undirected", "--sources", "99", "--top", "1", text.path()}));
    EXPECT_EQ(shown.substr(0, shown.find("searches took")),
              "   betweenness  vertex      id\n"
              "-  -----------  ----------  --\n"
              "1            7  the middle   2\n"
              "\n"
              "vertices            5\n"
              "edges               5\n"
              "sources             5\n");
    const words many = {"bc", "--json", "--rmat", "9", "--verify"};
    const json four = json_of(with(way, many));
    EXPECT_EQ(four["sources"].size(), 4U);
    EXPECT_EQ(four["sources"], json_of(with({built(kernels_program)}, many))["sources"]);
    EXPECT_NE(four["sources"], json_of(with(way, with(many, {"--sample-seed", "2"})))["sources"]);
  }
  const auto refuse = [&](const words& options, std::string_view what) {
    expect_refusals(kernels_program, with({"bc", text.path()}, options), what);
  };
  refuse({"--source", "4"}, "g.txt has no vertex 4: --source is the id of one");
  refuse({"--sources", "0"}, "--sources: '0' is no number from 1");
  refuse({"--sources", "3", "--source", "5"}, "--source");
  refuse({"--sample-seed", "3", "--source", "5"}, "--source");
}

TEST(far_graph_kernels, refuses_what_is_wrong) {
  for (const char* command : {"triangles", "clustering", "cores"}) {
    expect_refusals(kernels_program, {command, "--source", "3", "--rmat", "3"}, "--source");
    expect_refusals(kernels_program, {command}, "FILE is required, or --rmat SCALE");
  }
}

TEST(far_graph_kernels, show_progress_on_a_terminal) {
  const std::string packages = source_file("data/debian-12-packages.txt.xz");
  expect_progress({built(kernels_program), "triangles", packages}, {"triangles  ["});
  expect_progress({built(kernels_program), "clustering", packages}, {"clustering  ["});
  expect_progress({built(kernels_program), "bc", packages}, {"bc  ["});
  const far::test::outcome seen = far::test::run_command(
      {built("far"), "run", "-n", "2", built(kernels_program), "cores", packages},
      {{{"FAR_TERMINAL", "80"}}, "", false});
  EXPECT_NE(seen.errors.find("cores, rounds  1  "), std::string::npos) << seen.errors;
}

TEST(far_graph_kernels, help) {
  expect_help(kernels_program,
              {{"triangles", "--help"}, {"clustering", "-h"}, {"cores", "-h"}, {"bc", "-h"}});
}

}  // namespace
