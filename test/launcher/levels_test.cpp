// --levels of the commands that start ranks: the ranks get it, and a wrong value is reported before
// they start.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;
using far::test::surroundings;

/// Runs far ARGUMENTS... PROGRAM, which prints the levels that its ranks get.
outcome told_levels(const std::vector<std::string>& arguments, const surroundings& around = {}) {
  std::vector<std::string> line{built("far")};
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.insert(line.end(), {built("test-act"), "environment", "-1", "FAR_LEVELS"});
  return run_command(line, around);
}

int count_of(const std::string& text, const outcome& result) {
  int count = 0;
  for (const std::string& line : lines_of(result.output)) count += line == text ? 1 : 0;
  return count;
}

TEST(LaunchLevels, RanksAreGivenThem) {
  const surroundings around{{{"FAR_LEVELS", "4x1"}}, "", false};
  for (const std::vector<std::string>& way : {std::vector<std::string>{"run"},
                                              {"run", "--threads"}
#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers
                                              ,
                                              {"sim"}
#endif
       }) {
    std::vector<std::string> line = way;
    line.insert(line.end(), {"-n", "4"});
    EXPECT_EQ(count_of("FAR_LEVELS is 4x1", told_levels(line, around)), 4);
    line.insert(line.end(), {"--levels", "2x2"});
    const outcome result = told_levels(line, around);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(count_of("FAR_LEVELS is 2x2", result), 4) << result.output;
  }
}

TEST(LaunchLevels, RanksOfOtherMachinesToo) {
  const std::string here = std::string(FAR_SOURCE_DIR) + "/test/hosts/here.sh";
  const surroundings around{{{"FAR_RSH", here}}, "", false};
  const outcome result = run_command({built("far"), "run", "--hosts", "one:2,two:2", "--levels",
                                      "2x2", "sh", "-c", "echo levels $FAR_LEVELS"},
                                     around);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(count_of("levels 2x2", result), 4) << result.output;
}

TEST(LaunchLevels, WrongOnesAreToldInOneLine) {
  for (const std::vector<std::string>& way :
       {std::vector<std::string>{"run"}, {"sim"}, {"sim", "explore"}}) {
    for (const auto& [levels, text] : std::vector<std::pair<std::string, std::string>>{
             {"2x3", "--levels = '2x3': makes 6 ranks, the job has 4; write numbers"},
             {"2,2", "--levels = '2,2': not numbers above 0 with an x between them; write"},
             {"", "--levels = '': not numbers above 0"}}) {
      std::vector<std::string> line = way;
      line.insert(line.end(), {"-n", "4", "--levels", levels});
      const outcome result = told_levels(line);
      EXPECT_EQ(result.status, 2) << result.errors;
      EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
      EXPECT_NE(result.errors.find(text), std::string::npos) << result.errors;
      EXPECT_EQ(result.output, "");
    }
  }
}

#ifndef FAR_THREAD_SANITIZER
TEST(LaunchLevels, AReplayHasThem) {
  const outcome found = run_command({built("far"), "sim", "explore", "-n", "2", "--seeds", "1",
                                     "--levels", "1x2", built("test-order"), "spin"});
  EXPECT_EQ(found.status, 1) << found.errors;
  EXPECT_NE(found.output.find(" FAR_LEVELS=1x2 "), std::string::npos) << found.output;
}
#endif

TEST(LaunchLevels, InfoTellsOfThisMachine) {
  const std::vector<std::string> line{built("far"), "info", "--json"};
  const auto usual =
      nlohmann::json::parse(run_command(line, {{{"FAR_LEVELS", ""}}, "", false}).output);
  EXPECT_EQ(usual["levels"][0], (nlohmann::json{{"name", "machine"}, {"count", 1}}));
  EXPECT_FALSE(usual.contains("stated_levels"));

  // Another machine: two packages of two NUMA nodes; each node has one cache and four cores.
  const std::string machine = "pack:2 numa:2 l3:1 core:4 pu:2";
  const surroundings around{{{"HWLOC_SYNTHETIC", machine}, {"FAR_LEVELS", "4x8"}}, "", false};
  const auto info = nlohmann::json::parse(run_command(line, around).output);
  const auto level = [](const char* name, int count) {
    return nlohmann::json{{"name", name}, {"count", count}};
  };
  EXPECT_EQ(info["levels"], (nlohmann::json{level("machine", 1), level("package", 2),
                                            level("NUMA node", 4), level("core", 16)}));
  EXPECT_EQ(info["stated_levels"], (nlohmann::json{4, 8}));
  const outcome shown = run_command({built("far"), "info"}, around);
  EXPECT_NE(shown.output.find("levels        machine 1 x package 2 x NUMA node 4 x core 16, "),
            std::string::npos)
      << shown.output;
  EXPECT_NE(shown.output.find("\n              4 x 8 ranks, "), std::string::npos) << shown.output;
}

}  // namespace
