// `far bench` and its peers, and the manual page of `far`, which documents both.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

TEST(FarBench, ABenchmarkOfAJobIsToldOnce) {
  const outcome result =
      run_command({built("far"), "run", "-n", "2", built("far"), "bench", "transfers", "--json"});
  EXPECT_EQ(result.status, 0) << result.errors;
  const auto rows = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_TRUE(rows.is_array()) << result.output;
  EXPECT_EQ(rows.at(0).at("name"), "put 8 bytes");
}

// The peer programs that `far bench` runs for comparison, if they were built: they obey their
// options, and check their own results.
TEST(FarBench, PeersOfContainersDoTheirWork) {
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

TEST(FarBench, ManPageNamesEveryOption) {
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

TEST(FarBench, WrongUsageIsToldInOneLine) {
  for (const char* wrong : {"--nonsense", "nonsense"}) {
    const outcome result = run_command({built("far"), "bench", wrong});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_EQ(result.errors.rfind("far bench: ", 0), 0u) << result.errors;
  }
}

}  // namespace
