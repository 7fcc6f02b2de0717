// The `far` command, except `far run`.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/base/version.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

TEST(FarTool, TellsItsVersion) {
  EXPECT_EQ(run_command({built("far"), "--version"}).output, "far " FAR_VERSION "\n");
}

TEST(FarTool, WrongUsageIsToldInOneLine) {
  const std::vector<std::vector<std::string>> wrong{
      {}, {"nonsense"}, {"--nonsense"}, {"info", "--nonsense"}, {"info", "nonsense"}};
  for (const auto& arguments : wrong) {
    std::vector<std::string> line{built("far")};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const outcome result = run_command(line);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_EQ(result.errors.rfind("far", 0), 0u) << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

TEST(FarTool, InfoIsAnAlignedTable) {
  const outcome result = run_command({built("far"), "info"}, {{{"FAR_CONTEXTS", "7"}}, "", false});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
  for (const std::string& line : lines_of(result.output)) {
    ASSERT_GT(line.size(), 14u) << line;
    EXPECT_EQ(line[13], ' ') << line;
    EXPECT_NE(line[14], ' ') << line;
  }
  EXPECT_NE(result.output.find("environment   FAR_CONTEXTS=7\n"), std::string::npos)
      << result.output;
}

TEST(FarTool, InfoAsJsonSaysTheSame) {
  const outcome result =
      run_command({built("far"), "info", "--json"}, {{{"FAR_CONTEXTS", "7"}}, "", false});
  EXPECT_EQ(result.status, 0);
  const auto info = nlohmann::json::parse(result.output);
  EXPECT_EQ(info["version"], FAR_VERSION);
  EXPECT_EQ(info["fabrics"][0]["name"], "shm");
  EXPECT_GE(info["machine"]["threads"], info["machine"]["threads_allowed"]);
  EXPECT_GE(info["machine"]["threads_allowed"], 1);
  EXPECT_EQ(info["limits"]["ranks"], 4096);
  EXPECT_EQ(info["environment"]["FAR_CONTEXTS"], "7");
}

}  // namespace
