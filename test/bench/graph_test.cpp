// far bench graph: each row has its comparison, or the reason is told. A folder with scripts stands
// for the GAP Benchmark Suite.

#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/common/test_files.hpp"
#include "test/support/command.hpp"

namespace {

using far::apps::testing::temporary_file;
using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

outcome run_graph_bench(const std::string& suite_folder) {
  return run_command({built("far"), "bench", "graph", "--quick", "--json"},
                     {{{"FAR_GAPBS", suite_folder}}, {}, false});
}

/// A program that reads no graph, and claims what it is told.
class pretended_program {
 public:
  pretended_program(const std::string& name, const std::string& output)
      : file_("#!/bin/sh\ncat << END\n" + output + "END\n", name) {
    std::filesystem::permissions(file_.path(), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string folder() const { return file_.folder(); }

 private:
  temporary_file file_;
};

bool has_program() { return std::filesystem::exists(built("far-graph")); }

TEST(GraphBench, EachRowHasItsLimit) {
  if (!has_program()) GTEST_SKIP() << "far-graph was not built here";
  const outcome result = run_graph_bench("");
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("FAR_GAPBS"), std::string::npos) << result.errors;
  std::set<std::string> names;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    const std::string name = row.at("name");
    names.insert(name);
    EXPECT_GT(row.at("ns"), 0) << name;
    EXPECT_EQ(row.at("limit_ns").is_null(), name != "pagerank, an iteration" && name != "bfs");
    EXPECT_TRUE(row.at("peers").empty()) << name;
  }
  for (const char* name :
       {"pagerank, an iteration", "bfs", "components", "sssp", "components, from text to result"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(GraphBench, TimesOfTheSuiteAreMediansOfTrials) {
  if (!has_program()) GTEST_SKIP() << "far-graph was not built here";
  const pretended_program suite("pr",
                                "Read Time:           0.5\nGraph has 1024 nodes and 9 edges\n"
                                "Trial Time:          0.00900\nTrial Time:          0.00200\n"
                                "Trial Time:          0.00400\nAverage Time:        0.00500\n");
  const outcome result = run_graph_bench(suite.folder());
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("Without bfs, cc, sssp"), std::string::npos) << result.errors;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    if (row.at("name") == "pagerank, an iteration") {
      EXPECT_NEAR(row.at("peers").at("GAPBS").get<double>(), 4e6 / 20, 1);
    } else {
      EXPECT_TRUE(row.at("peers").empty()) << row;
    }
  }
}

TEST(GraphBench, AnotherGraphOfTheSuiteIsAnError) {
  if (!has_program()) GTEST_SKIP() << "far-graph was not built here";
  const pretended_program suite("cc", "Graph has 1023 nodes and 9 edges\nTrial Time: 0.00900\n");
  const outcome result = run_graph_bench(suite.folder());
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("1024 nodes"), std::string::npos) << result.errors;
}

TEST(GraphBench, AFolderWithoutTheSuiteIsToldInOneLine) {
  if (!has_program()) GTEST_SKIP() << "far-graph was not built here";
  const temporary_file other("nothing", "README");
  const outcome result = run_graph_bench(other.folder());
  EXPECT_EQ(result.status, 1);
  int told = 0;
  for (const std::string& line : lines_of(result.errors)) {
    if (line.find(other.folder()) != std::string::npos) ++told;
  }
  EXPECT_EQ(told, 1) << result.errors;
}

}  // namespace
