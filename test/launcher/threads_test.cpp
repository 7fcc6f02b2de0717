// far run --threads: the ranks are threads of one process.

#include <signal.h>

#include <set>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::far_run;
using far::test::lines_of;
using far::test::numbers_after;
using far::test::outcome;
using far::test::run_command;

TEST(LaunchThreads, RunInOneProcess) {
  const outcome result = run_command(far_run({"-n", "4", "--threads", built("test-act")}));
  EXPECT_EQ(result.status, 0);
  const auto ranks = numbers_after(result.output, "ready ");
  EXPECT_EQ(std::set<int>(ranks.begin(), ranks.end()), (std::set<int>{0, 1, 2, 3}));
  const auto pids = numbers_after(result.output, " pid ");
  EXPECT_EQ(std::set<int>(pids.begin(), pids.end()).size(), 1u);
}

TEST(LaunchThreads, FailureNamesTheRank) {
  const outcome result = run_command(
      far_run({"-n", "3", "--threads", built("test-act"), "throw", "2", "no such vertex"}));
  EXPECT_EQ(result.status, 1);
  const auto lines = lines_of(result.errors);
  ASSERT_EQ(lines.size(), 1u) << result.errors;
  EXPECT_EQ(lines[0].rfind("far run: rank 2 (a thread of pid ", 0), 0u) << lines[0];
  EXPECT_NE(lines[0].find("exited with status 1: no such vertex"), std::string::npos);
}

TEST(LaunchThreads, LeavingEarlyIsAFailure) {
  const outcome result =
      run_command(far_run({"-n", "3", "--threads", built("test-act"), "leave", "1", "0"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("exited with status 0 before the job's end\n"), std::string::npos)
      << result.errors;
}

TEST(LaunchThreads, TimeLimitReportsEachRank) {
  far::test::command job(
      far_run({"-n", "2", "--threads", "--timeout", "2", built("test-act"), "wait"}));
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 124);
  EXPECT_NE(result.errors.find("far run: rank 1"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("ended 2 ranks\n"), std::string::npos) << result.errors;
}

TEST(LaunchThreads, QuitToTheProcessReportsAllRanks) {
  far::test::command job(far_run({"-n", "2", "--threads", built("test-act"), "compute"}));
  ASSERT_TRUE(job.wait_for_output("ready 0 pid ") && job.wait_for_output("ready 1 pid "));
  const pid_t pid = numbers_after(job.output(), " pid ").front();
  kill(pid, SIGQUIT);
  EXPECT_TRUE(job.wait_for_error("far: rank 0 (pid "));
  EXPECT_TRUE(job.wait_for_error("far: rank 1 (pid "));
  job.send(SIGTERM);
  EXPECT_EQ(job.finish().status, 128 + SIGTERM);
}

TEST(LaunchThreads, ProgramsThatNeverJoinRunOnce) {
  EXPECT_EQ(run_command(far_run({"-n", "4", "--threads", "echo", "once"})).output, "once\n");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map terabytes

TEST(LaunchThreads, AThreadThatTheSystemRefusesEndsTheJob) {
  const outcome result = run_command(
      {"sh", "-c",
       "ulimit -s 100000; ulimit -v 2500000; exec \"$FAR\" run -n 30 --threads \"$ACT\" say"},
      {{{"FAR", built("far")}, {"ACT", built("test-act")}}, "", false});
  EXPECT_EQ(result.status, 1);
  const auto lines = lines_of(result.errors);
  ASSERT_EQ(lines.size(), 1u) << result.errors;
  EXPECT_NE(lines[0].find("cannot start the thread of rank "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("ulimit -u"), std::string::npos) << lines[0];
}

#endif

}  // namespace
