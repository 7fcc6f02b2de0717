// Programs started by Open MPI's mpirun on this machine: ranks join by its PMIx, and wait for
// others no longer than they may.

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

#if defined(FAR_TEST_UCX) && !defined(__SANITIZE_ADDRESS__)  // PMIx leaks memory at its end

using far::test::built;
using far::test::lines_of;
using far::test::numbers_after;
using far::test::outcome;
using far::test::run_command;
using far::test::surroundings;

outcome mpirun(const std::vector<std::string>& arguments, const std::string& start_timeout) {
  std::vector<std::string> line{"mpirun", "--oversubscribe", "--bind-to", "none"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  surroundings around;
  around.variables = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                      {"FAR_START_TIMEOUT", start_timeout},
                      {"FAR_SYMMETRIC_HEAP", "16M"},
                      {"FAR_LOCAL_HEAP", "16M"}};
  return run_command(line, around);
}

/// Whether this mpirun makes ranks join by PMIx.
bool has_mpirun() {
  return run_command({"mpirun", "--version"}).output.find("Open MPI") != std::string::npos;
}

/// The lines printed by ranks themselves; mpirun prints more.
std::vector<std::string> said_by_ranks(const outcome& result) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(result.errors)) {
    if (line.rfind("far: ", 0) == 0) lines.push_back(line);
  }
  return lines;
}

class LaunchMpirun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_mpirun()) GTEST_SKIP() << "no mpirun of Open MPI here (Debian: openmpi-bin)";
  }
};

TEST_F(LaunchMpirun, ProcessesAreTheRanksOfOneJob) {
  const outcome result = mpirun({"-n", "3", built("test-act"), "say", "-1", "hello"}, "");
  EXPECT_EQ(result.status, 0) << result.errors;
  std::vector<int> ranks = numbers_after(result.output, "ready ");
  std::sort(ranks.begin(), ranks.end());
  EXPECT_EQ(ranks, (std::vector<int>{0, 1, 2}));
}

TEST_F(LaunchMpirun, ARankThatCannotPrintFailsItsJob) {
  const std::string closed = "exec " + built("test-act") + " say -1 hello >&-";
  const outcome result = mpirun({"-n", "2", "sh", "-c", closed}, "");
  EXPECT_EQ(result.status, 1);
  const auto lines = said_by_ranks(result);
  ASSERT_GE(lines.size(), 1u) << result.errors;
  EXPECT_EQ(lines.front(), "far: cannot write to standard output: Bad file descriptor");
}

TEST_F(LaunchMpirun, AnExitBeforeTheJobsEndEndsTheJob) {
  for (const char* const action : {"exit", "leave"}) {
    const outcome result = mpirun({"-n", "3", built("test-act"), action, "1", "0"}, "");
    EXPECT_EQ(result.status, 1) << action << ": " << result.errors;
  }
}

TEST_F(LaunchMpirun, AProcessMayEndAnyWayAfterTheJob) {
  const outcome result = mpirun({"-n", "2", built("test-act"), "leave-later"}, "");
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(LaunchMpirun, JobsWithoutAFunction) {
  const outcome result = mpirun({"-n", "3", built("test-job"), "several", "3"}, "");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(numbers_after(result.output, "job ").size(), 9u) << result.output;
  std::vector<int> sums = numbers_after(result.output, " of 3 sum ");
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(sums, (std::vector<int>{6, 6, 6, 12, 12, 12, 18, 18, 18}));
}

TEST_F(LaunchMpirun, AnExceptionThatLeavesAJobsScopeEndsTheJob) {
  const outcome result = mpirun({"-n", "3", built("test-job"), "throw"}, "");
  EXPECT_EQ(result.status, 1) << result.errors;
  // mpirun ends the others once one has ended, so that not all of them say what they have caught.
  int caught = 0;
  for (const std::string& line : lines_of(result.output)) {
    if (line.ends_with(" in")) continue;
    ++caught;
    EXPECT_TRUE(line == "caught: no such thing" || line.starts_with("caught: rank 1 failed: "))
        << line;
  }
  EXPECT_GE(caught, 1) << result.output;
}

TEST_F(LaunchMpirun, ExitJobEndsAllRanks) {
  for (const int status : {0, 7}) {
    const std::string text = std::to_string(status);
    EXPECT_EQ(mpirun({"-n", "3", built("test-job"), "exit", text}, "").status, status);
    EXPECT_EQ(mpirun({"-n", "2", built("test-act"), "end-job", "1", text}, "").status, status);
  }
}

TEST_F(LaunchMpirun, JobsInAnMpiProgram) {
  const std::string program = built("test-mpi_jobs");
  if (access(program.c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no mpi.h of Open MPI here (Debian: libopenmpi-dev)";
  }
  const outcome result = mpirun({"-n", "3", program}, "");
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
  std::vector<int> ranks = numbers_after(result.output, "rank ");
  std::sort(ranks.begin(), ranks.end());
  EXPECT_EQ(ranks, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(numbers_after(result.output, "sum "), (std::vector<int>{6, 6, 6}));
}

TEST_F(LaunchMpirun, WhatARankStartsIsNoRank) {
  const outcome result = mpirun(
      {"-n", "2", built("test-act"), "start", "-1", built("test-act") + " say -1 child"}, "");
  EXPECT_EQ(result.status, 0) << result.errors;
  const std::vector<int> ranks = numbers_after(result.output, "ready ");
  EXPECT_EQ(std::count(ranks.begin(), ranks.end(), 0), 3) << result.output;  // two are children
  EXPECT_EQ(std::count(ranks.begin(), ranks.end(), 1), 1) << result.output;
}

TEST_F(LaunchMpirun, ARankThatNeverComesIsNotWaitedForForEver) {
  const outcome result =
      mpirun({"-n", "2", built("test-act"), "wait", ":", "-n", "1", "sleep", "1000"}, "2");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.output, "");
  const auto lines = said_by_ranks(result);
  ASSERT_GE(lines.size(), 1u) << result.errors;  // the first rank that gives up ends the others
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find(" has waited 2 s for all 3 ranks to join the job: "), 11u) << line;
    EXPECT_NE(line.find("FAR_START_TIMEOUT"), std::string::npos) << line;
  }
}

TEST_F(LaunchMpirun, WithoutALimitALateRankIsWaitedFor) {
  const std::string late = "sleep 1; exec " + built("test-act") + " say -1 hello";
  const outcome result = mpirun(
      {"-n", "1", built("test-act"), "say", "-1", "hello", ":", "-n", "1", "sh", "-c", late}, "0");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(numbers_after(result.output, "ready ").size(), 2u) << result.output;
}

TEST_F(LaunchMpirun, ARankThatCrashesWhileItJoinsIsReported) {
  std::string file = ::testing::TempDir() + "far-joining-XXXXXX";
  close(mkstemp(file.data()));
  const std::string joins = "echo $$ > " + file + "; exec " + built("test-act") + " wait";
  // The library for UCX and PMIx is there: joining has begun.
  const std::string kills = "until pid=$(cat " + file +
                            ") && grep -q libfar_ucx /proc/$pid/maps; do sleep 0.1; done; "
                            "kill -SEGV $pid; sleep 1000";
  const outcome result =
      mpirun({"-n", "1", "sh", "-c", joins, ":", "-n", "1", "sh", "-c", kills}, "");
  unlink(file.c_str());
  EXPECT_EQ(result.status, 128 + SIGSEGV) << result.errors;
  EXPECT_NE(result.errors.find(" crashed: signal 11 (Segmentation fault) sent by pid "),
            std::string::npos)
      << result.errors;
}

TEST_F(LaunchMpirun, ALimitThatIsNoneIsRefused) {
  for (const char* const limit : {"2M", "1000001"}) {
    const outcome result = mpirun({"-n", "1", built("test-act"), "say"}, limit);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(said_by_ranks(result),
              (std::vector<std::string>{"far: FAR_START_TIMEOUT = '" + std::string(limit) +
                                        "': write a number of seconds up to 1000000, or 0 for no "
                                        "limit"}));
  }
}

#endif

}  // namespace
