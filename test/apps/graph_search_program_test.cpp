// far-graph bfs, sssp and communities as a user runs them.

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
using far::test::expect_progress;
using far::test::expect_refusals;
using far::test::json_of;
using far::test::keys_of;
using far::test::output_of;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

constexpr const char* search_program = "far-graph";

std::string small_graph() { return source_file("test/data/graph/example.txt"); }

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(far_graph_search, searches_breadth_first) {
  for (const words& way : ways_to_run(search_program)) {
    const json found =
        json_of(with(way, {"bfs", "--json", "--verify", "--source", "10", small_graph()}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"vertices", "edges", "reached", "depth", "engine",
                                     "rounds_pulled", "rounds_pushed", "seconds_bfs", "verified"}));
    EXPECT_EQ(found["reached"], 3);
    EXPECT_EQ(found["depth"], 1);
    const json both = json_of(
        with(way, {"bfs", "--json", "--undirected", "--source=-3", "--verify", small_graph()}));
    EXPECT_EQ(both["reached"], 2);
    const json many = json_of(with(way, {"bfs", "--json", "--rmat", "9", "--source", "0"}));
    EXPECT_GT(many["reached"], 100);
  }
}

TEST(far_graph_search, writes_a_level_for_each_vertex) {
  const temporary_file text("0 1\n1 2\n0 2\n2 8\n7 0\n", "g.txt");
  const std::string file = text.folder() + "/levels";
  for (const words& way : ways_to_run(search_program)) {
    const json found =
        json_of(with(way, {"bfs", "--json", "--source", "0", "--output", file, text.path()}));
    EXPECT_EQ(text_of(file), "0 0\n1 1\n2 1\n7 9223372036854775807\n8 2\n");
    EXPECT_EQ(found["bytes"], text_of(file).size());
  }
  expect_refusals(search_program, {"bfs", text.path()}, "--source is required");
  expect_refusals(search_program, {"bfs", "--source", "99999999999999999999", text.path()},
                  "'99999999999999999999' is no whole number");
  expect_refusals(search_program, {"bfs", "--source", "0x1", text.path()},
                  "'0x1' is no whole number");
  expect_refusals(search_program, {"bfs", "--source", "0", "--output", "/dev/null", text.path()},
                  "/dev/null: is no file that can be replaced");
  expect_refusals(search_program, {"bfs", "--source", "5", text.path()},
                  "g.txt has no vertex 5: --source is the id of one");
  expect_refusals(search_program, {"bfs", "--source", "0", "--output", "/missing/x", text.path()},
                  "cannot create: No such file");
}

TEST(far_graph_search, finds_shortest_paths) {
  const temporary_file text("0 1 2.5\n1 2 3\n0 2 7\n2 8 .25\n7 0 1\n", "g.txt");
  const std::string file = text.folder() + "/distances";
  for (const words& way : ways_to_run(search_program)) {
    const json found = json_of(
        with(way, {"sssp", "--json", "--verify", "--source", "0", "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found),
              (std::set<std::string>{"vertices", "edges", "weighted", "reached", "farthest",
                                     "engine", "rounds_pulled", "rounds_pushed", "seconds_sssp",
                                     "output", "vertices_written", "bytes", "verified"}));
    EXPECT_EQ(found["weighted"], true);
    EXPECT_EQ(found["reached"], 4);
    EXPECT_EQ(found["farthest"], 5.75);
    EXPECT_EQ(text_of(file), "0 0\n1 2.5\n2 5.5\n7 Infinity\n8 5.75\n");
    const json plain =
        json_of(with(way, {"sssp", "--json", "--verify", "--source", "10", small_graph()}));
    EXPECT_EQ(plain["weighted"], false);
    EXPECT_EQ(plain["farthest"], 1);
  }
  const temporary_file negative("0 1 2\n1 2 -3\n", "n.txt");
  expect_refusals(search_program, {"sssp", "--source", "0", negative.path()}, "n.txt:2:");
  expect_refusals(search_program, {"sssp", negative.path()}, "--source is required");
}

TEST(far_graph_search, either_engine_finds_the_same) {
  for (const words& way : ways_to_run(search_program)) {
    for (const words& what :
         {words{"pagerank"}, words{"bfs", "--source", "0"}, words{"sssp", "--source", "0"}}) {
      words arguments = what;
      for (const char* more : {"--json", "--verify", "--rmat", "9", "--engine", "array", "--chunk",
                               "32", "--force-cache"}) {
        arguments.emplace_back(more);
      }
      const json found = json_of(with(way, arguments));
      EXPECT_EQ(found["engine"], "array");
      EXPECT_TRUE(found.contains("verified"));
    }
  }
  expect_refusals(search_program, {"pagerank", "--rmat", "4", "--engine", "fast"},
                  "'fast' is none of exchange, array");
  expect_refusals(search_program, {"bfs", "--source", "0", "--rmat", "4", "--chunk", "0"},
                  "--chunk");
}

TEST(far_graph_search, finds_communities) {
  const temporary_file text("5 6\n6 7\n7 5\n1 2\n2 3\n3 1\n3 5\n", "g.txt");
  const std::string file = text.folder() + "/labels";
  for (const words& way : ways_to_run(search_program)) {
    const json found = json_of(with(
        way, {"communities", "--json", "--undirected", "--verify", "--output", file, text.path()}));
    EXPECT_EQ(keys_of(found), (std::set<std::string>{"vertices", "edges", "communities",
                                                     "iterations", "seconds_communities", "output",
                                                     "vertices_written", "bytes", "verified"}));
    EXPECT_LT(found["iterations"], 10);  // no label changes any more
    EXPECT_EQ(text_of(file), "1 1\n2 1\n3 1\n5 3\n6 3\n7 3\n");
    const json one =
        json_of(with(way, {"communities", "--json", "--iterations", "1", "--verify", text.path()}));
    EXPECT_EQ(one["iterations"], 1);
  }
  expect_refusals(search_program, {"communities", "--iterations", "-1", text.path()}, "iterations");
}

// As LDBC Graphalytics checks them: a rank, and the smallest id of the component.
TEST(far_graph_search, writes_ranks_and_components) {
  const temporary_file text("5 6\n6 5\n9 3\n3 9\n", "g.txt");
  const std::string file = text.folder() + "/values";
  for (const words& way : ways_to_run(search_program)) {
    const json ranks = json_of(with(way, {"pagerank", "--json", "--output", file, text.path()}));
    EXPECT_EQ(text_of(file), "3 0.25\n5 0.25\n6 0.25\n9 0.25\n");
    EXPECT_EQ(ranks["vertices_written"], 4);
    output_of(with(way, {"components", "--output", file, text.path()}));
    EXPECT_EQ(text_of(file), "3 3\n5 5\n6 5\n9 3\n");
  }
  expect_refusals(search_program, {"summary", "--output", file, text.path()}, "--output");
}

TEST(far_graph_search, shows_progress_on_a_terminal) {
  const std::string packages = source_file("data/debian-12-packages.txt.xz");
  expect_progress({built(search_program), "bfs", "--source", "1", packages}, {"bfs  ["});
  expect_progress({built(search_program), "sssp", "--source", "1", packages}, {"sssp, rounds  1"});
}

}  // namespace
