// The `far` command apart from `far run`.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

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

TEST(FarTool, ABenchmarkOfAJobIsToldOnce) {
  const outcome result =
      run_command({built("far"), "run", "-n", "2", built("far"), "bench", "transfers", "--json"});
  EXPECT_EQ(result.status, 0) << result.errors;
  const auto rows = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_TRUE(rows.is_array()) << result.output;
  EXPECT_EQ(rows.at(0).at("name"), "put 8 bytes");
}

// The programs that `far bench` runs beside libfar, where they were built: they do what they are
// asked, and check their own results.
TEST(FarTool, PeersOfContainersDoTheirWork) {
  const std::string folder = built("../libexec/far/");
  const std::vector<std::pair<std::string, std::vector<std::string>>> peers{
      {"mpi_peer.openmpi",
       {"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "osc", "sm"}},
      {"mpi_peer.mpich", {"mpirun.mpich"}}};
  int ran = 0;
  for (auto [name, line] : peers) {
    if (!std::filesystem::exists(folder + name)) continue;
    const std::vector<std::string> rest{"-n", "2", folder + name, "table_find", "queue_push_phase"};
    line.insert(line.end(), rest.begin(), rest.end());
    const outcome result = run_command(line);
    EXPECT_EQ(result.status, 0) << result.errors;
    const auto lines = lines_of(result.output);
    ASSERT_EQ(lines.size(), 2u) << result.output;
    EXPECT_EQ(lines[0].rfind("table_find ", 0), 0u);
    EXPECT_EQ(lines[1].rfind("queue_push_phase ", 0), 0u);
    ++ran;
  }
  if (std::filesystem::exists(folder + "absl_peer")) {
    const outcome result = run_command({folder + "absl_peer", "1000", "1"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(lines_of(result.output).size(), 2u) << result.output;
    ++ran;
  }
  if (ran == 0) GTEST_SKIP() << "no peer was built here";
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

TEST(FarTool, ManPageNamesEveryOption) {
  std::ifstream file(FAR_SOURCE_DIR "/tools/far/far.1");
  std::string page(std::istreambuf_iterator<char>(file), {});
  std::erase(page, '\\');
  int options = 0;
  const std::vector<std::vector<std::string>> commands{
      {"run"}, {"sim"}, {"bench"}, {"model", "calibrate"}, {"model", "explain"}};
  for (const std::vector<std::string>& command : commands) {
    std::vector<std::string> line{built("far")};
    line.insert(line.end(), command.begin(), command.end());
    line.emplace_back("--help");
    const std::string help = run_command(line).output;
    for (auto at = help.find("--"); at != help.npos; at = help.find("--", at + 2)) {
      const auto end = help.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", at);
      const std::string option = help.substr(at, end - at);
      if (option == "--" || option == "--help") continue;
      ++options;
      EXPECT_NE(page.find(option), std::string::npos) << option;
    }
  }
  EXPECT_GE(options, 7 + 10 + 5 + 5 + 8);
}

}  // namespace
