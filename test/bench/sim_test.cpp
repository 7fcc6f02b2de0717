// far sim: starts programs, reports what they did in virtual time, and reports errors.

#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

outcome far_sim(const std::vector<std::string>& arguments) {
  std::vector<std::string> line{built("far"), "sim"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line);
}

TEST(FarSim, TellsTimeAndOperations) {
  const outcome result =
      far_sim({"-n", "16", "-p", "cori-aries", "--json", built("far"), "bench", "components"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = lines_of(result.output);
  ASSERT_GT(lines.size(), 8u) << result.output;
  const auto report = nlohmann::json::parse(lines.back());
  EXPECT_EQ(report["ranks"], 16);
  EXPECT_EQ(report["profile"], "cori-aries");
  EXPECT_GT(report["virtual_ns"], 1e6);
  EXPECT_GE(report["gets"], 16 * 1000);
  EXPECT_GE(report["messages"], report["replies"]);
}

// A second run gives the same figures, to the last digit.
TEST(FarSim, RepeatsItself) {
  const std::vector<std::string> arguments{
      "-n", "16", "-p", "piz-daint", "--json", built("far"), "bench", "transfers", "--json"};
  const outcome first = far_sim(arguments);
  EXPECT_EQ(first.status, 0) << first.errors;
  EXPECT_EQ(first.output, far_sim(arguments).output);
}

// Table I of rdma-vs-rpc, the only figures that the profile was fitted to, was measured on 64 nodes
// of 32 ranks. Here there is one rank per node: in both cases nearly all operations go to another
// node.
TEST(FarSim, TheCrayCostsWhatThePaperMeasured) {
  const std::string file = testing::TempDir() + "small_cray.json";
  std::ofstream(file) << R"({"base": "cori-aries", "ranks_per_node": 1})";
  const outcome result =
      far_sim({"-n", "64", "-p", file, built("far"), "bench", "components", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, double> us;
  for (const auto& row : nlohmann::json::parse(result.output)) {
    us[row["name"]] = row["ns"].get<double>() / 1000;
  }
  EXPECT_NEAR(us["put"] / 3.0, 1, 0.05);
  EXPECT_NEAR(us["get"] / 3.7, 1, 0.05);
  EXPECT_NEAR(us["compare-and-swap"] / 3.8, 1, 0.05);
  EXPECT_NEAR(us["fetch-and-add, random words"] / 3.9, 1, 0.05);
  EXPECT_GT(us["fetch-and-add, one word a rank"], 1.5 * us["fetch-and-add, random words"]);
}

// Fig. 6 of rdma-vs-rpc, in simulated time: a caller waits for the computation of others, unless
// they have a service thread; one-sided operations do not wait.
TEST(FarSim, CallsWaitForRanksThatCompute) {
  const std::string file = testing::TempDir() + "attentive_cray.json";
  std::ofstream(file) << R"({"base": "cori-aries", "name": "small", "ranks_per_node": 1})";
  const outcome result =
      far_sim({"-n", "8", "-p", file, built("far"), "bench", "attentiveness", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::map<std::string, nlohmann::json> rows;
  for (const auto& row : nlohmann::json::parse(result.output)) rows[row["name"]] = row;
  for (const std::string operation : {"insert", "find", "push"}) {
    const auto& busy = rows["sim/small, 8 ranks: " + operation + ", 512 us"];
    const auto& idle = rows["sim/small, 8 ranks: " + operation + ", 0 us"];
    ASSERT_TRUE(busy.is_object() && idle.is_object()) << result.output;
    EXPECT_LT(busy["peers"]["one-sided"], 1.01 * idle["peers"]["one-sided"].get<double>())
        << operation;
    EXPECT_GT(busy["peers"]["by calls"], 100'000) << operation;
    EXPECT_LT(idle["peers"]["by calls"], 100'000) << operation;
    EXPECT_LT(busy["peers"]["by calls, service"], 100'000) << operation;
  }
}

TEST(FarSim, TheInfiniBandOf2004CostsWhatThePaperMeasured) {
  for (const char* profile : {"ib-2004-ia32", "ib-2004-ia64"}) {
    const outcome result =
        far_sim({"-n", "3", "-p", profile, built("far"), "bench", "transfers", "--json"});
    ASSERT_EQ(result.status, 0) << result.errors;
    int compared = 0;
    for (const auto& row : nlohmann::json::parse(result.output)) {
      if (!row["peers"].contains("paper")) continue;
      EXPECT_NEAR(row["ns"].get<double>() / row["peers"]["paper"].get<double>(), 1, 0.05)
          << profile << ": " << row["name"];
      ++compared;
    }
    EXPECT_EQ(compared, 5);
  }
}

TEST(FarSim, CalibratesAProfileOfThisMachine) {
  const std::string file = testing::TempDir() + "here.json";
  const outcome result = far_sim({"calibrate", "--name", "here", "-o", file});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("fetch-and-add"), std::string::npos) << result.errors;
  const outcome used =
      far_sim({"-n", "2", "-p", file, "--json", built("far"), "bench", "transfers"});
  ASSERT_EQ(used.status, 0) << used.errors;
  const auto report = nlohmann::json::parse(lines_of(used.output).back());
  EXPECT_EQ(report["profile"], "here");
  EXPECT_GT(report["virtual_ns"], 0);

  const outcome refused = far_sim({"calibrate", "-o", "/nowhere/here.json"});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.errors.find("cannot write '/nowhere/here.json'"), std::string::npos);
}

TEST(FarSim, TheProgramsEndIsItsOwn) {
  EXPECT_EQ(far_sim({"-n", "2", "sh", "-c", "exit 7"}).status, 7);
  EXPECT_EQ(far_sim({"-n", "2", "sh", "-c", "kill -9 $$"}).status, 128 + 9);
  EXPECT_EQ(far_sim({"-n", "2", "no-such-program"}).status, 127);
  EXPECT_EQ(far_sim({"-n", "2", "/etc/passwd"}).status, 126);
}

TEST(FarSim, WrongUsageIsToldInOneLine) {
  const std::string wrong_profile = testing::TempDir() + "wrong_profile.json";
  std::ofstream(wrong_profile) << R"({"base": "cori-aries", "gap": "wide"})";
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{}, "no program to run"},
      {{"-n", "0", "true"}, "0 ranks: want 1 to"},
      {{"-n", "two", "true"}, "two"},
      {{"-p", "cray", "true"},
       "there is no profile 'cray', and no such file; there are: cori-aries"},
      {{"-p", wrong_profile, "true"}, "gap: \"wide\": want nanoseconds"},
      {{"--show-profile", "cray"}, "there is no profile 'cray'"},
      {{"--symmetric-heap", "lots", "true"}, "--symmetric-heap"},
  };
  for (const auto& [arguments, text] : wrong) {
    const outcome result = far_sim(arguments);
    EXPECT_EQ(result.status, 2) << text;
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find(text), std::string::npos) << result.errors;
  }
}

TEST(FarSim, AProfileOfNothingIsRefused) {
  const std::string file = testing::TempDir() + "no_profile.json";
  for (const auto& [text, what] :
       {std::pair{"", "the file is empty; "}, {"{}", "all times are 0"}}) {
    std::ofstream(file) << text;
    const outcome result = far_sim({"-n", "2", "-p", file, "true"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find(file + ": " + what), std::string::npos) << result.errors;
  }
}

TEST(FarSim, AReportThatCannotBeWrittenIsAFailure) {
  for (const auto& [file, why] : {std::pair{"/nowhere/report", "No such file or directory"},
                                  {"/dev/full", "No space left on device"}}) {
    const outcome result =
        run_command({built("test-act"), "say"},
                    {{{"FAR_SIM_RANKS", "2"}, {"FAR_SIM_REPORT", file}}, "", false});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.errors, std::string("far: FAR_SIM_REPORT=") + file +
                                 ": cannot write the report: " + why + "\n");
  }
  for (const char* log : {"FAR_SIM_RECORD", "FAR_SIM_STORY"}) {
    const outcome result = run_command({built("test-act"), "say"},
                                       {{{"FAR_SIM_RANKS", "2"}, {log, "/dev/full"}}, "", false});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.errors, "far: cannot write the log of the run: No space left on device\n");
  }
}

TEST(FarSim, AShownProfileIsAFile) {
  const outcome shown = far_sim({"--show-profile", "cx4-100g"});
  ASSERT_EQ(shown.status, 0);
  const std::string file = testing::TempDir() + "shown_profile.json";
  std::ofstream(file) << shown.output;
  const outcome by_file = far_sim({"-n", "2", "-p", file, built("far"), "bench", "transfers"});
  const outcome by_name =
      far_sim({"-n", "2", "-p", "cx4-100g", built("far"), "bench", "transfers"});
  EXPECT_EQ(by_file.status, 0) << by_file.errors;
  EXPECT_EQ(by_file.output, by_name.output);
}

}  // namespace

#endif
