// Ranks that die, survivors that refuse to end, and a launcher that dies.

#include <signal.h>

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::command;
using far::test::eventually;
using far::test::far_run;
using far::test::numbers_after;
using far::test::outcome;
using far::test::process_exists;

std::vector<pid_t> pids_of(command& job, int n) {
  std::vector<pid_t> pids;
  for (int rank = 0; rank < n; ++rank) {
    const std::string mark = "ready " + std::to_string(rank) + " pid ";
    EXPECT_TRUE(job.wait_for_output(mark)) << job.errors();
    const auto found = numbers_after(job.output(), mark);
    pids.push_back(found.empty() ? -1 : found.front());
  }
  return pids;
}

void expect_gone(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    EXPECT_TRUE(eventually([pid] { return !process_exists(pid); })) << pid;
  }
}

/// A job's memory has no name in the file system, so none can be left behind.
void expect_nameless_memory(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
    const std::string text(std::istreambuf_iterator<char>(maps), {});
    EXPECT_NE(text.find("/memfd:far-job (deleted)"), std::string::npos);
    EXPECT_EQ(text.find("/dev/shm/"), std::string::npos) << text;
  }
}

TEST(LaunchDeath, AKilledRankEndsTheJob) {
  command job(far_run({"-n", "4", built("test-act"), "wait"}));
  const auto pids = pids_of(job, 4);
  expect_nameless_memory(pids);
  kill(pids[2], SIGKILL);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGKILL);
  EXPECT_EQ(result.errors, "far run: rank 2 (pid " + std::to_string(pids[2]) +
                               ") died from signal 9 (Killed); ended the other 3 ranks\n");
  expect_gone(pids);
}

TEST(LaunchDeath, SurvivorsThatComputeAreEnded) {
  command job(far_run({"-n", "3", built("test-act"), "compute"}));
  const auto pids = pids_of(job, 3);
  kill(pids[0], SIGILL);  // not a signal that sanitizers handle
  EXPECT_EQ(job.finish().status, 128 + SIGILL);
  expect_gone(pids);
}

TEST(LaunchDeath, SurvivorsThatIgnoreSignalsAreKilled) {
  command job(far_run({"-n", "3", built("test-act"), "ignore-term"}));
  const auto pids = pids_of(job, 3);
  kill(pids[1], SIGKILL);
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);
  expect_gone(pids);
}

TEST(LaunchDeath, StoppedSurvivorsAreEnded) {
  command job(far_run({"-n", "3", built("test-act"), "wait"}));
  const auto pids = pids_of(job, 3);
  kill(pids[0], SIGSTOP);
  kill(pids[1], SIGKILL);
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);
  expect_gone(pids);
}

TEST(LaunchDeath, ARankThatDiesBeforeOthersJoinEndsTheJob) {
  command job(far_run({"-n", "3", "sh", "-c",
                       "case $FAR_JOB in *:1) kill -KILL $$;; *) exec \"$0\" wait;; esac",
                       built("test-act")}));
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGKILL);
  EXPECT_EQ(result.errors.rfind("far run: rank 1 (pid ", 0), 0u) << result.errors;
}

TEST(LaunchDeath, TheLaunchersDeathLeavesNothing) {
  command job(far_run({"-n", "3", built("test-act"), "ignore-term"}));
  const auto pids = pids_of(job, 3);
  job.send(SIGKILL);
  expect_gone(pids);
}

TEST(LaunchDeath, RanksBehindScriptsDieWithTheLauncherToo) {
  command job(far_run({"-n", "2", "sh", "-c", "\"$0\" compute; exit 5", built("test-act")}));
  const auto pids = pids_of(job, 2);
  job.send(SIGKILL);
  expect_gone(pids);
}

TEST(LaunchDeath, WhatRanksStartedIsEndedWithAFailedJob) {
  command job(far_run({"-n", "2", "sh", "-c", "sleep 1000 & echo ${FAR_JOB#*:} sleeper $!; wait"}));
  ASSERT_TRUE(job.wait_for_output("0 sleeper ") && job.wait_for_output("1 sleeper "));
  const auto sleepers = numbers_after(job.output(), "sleeper ");
  job.send(SIGTERM);
  EXPECT_EQ(job.finish().status, 128 + SIGTERM);
  expect_gone(sleepers);
}

TEST(LaunchDeath, WhatRanksLeaveBehindEndsWithAGoodJobToo) {
  const outcome result = far::test::run_command(
      far_run({"-n", "2", "sh", "-c", "sleep 1000 & echo sleeper $!; exit 0"}));
  EXPECT_EQ(result.status, 0) << result.errors;
  const auto sleepers = numbers_after(result.output, "sleeper ");
  EXPECT_EQ(sleepers.size(), 2u);
  expect_gone(sleepers);
}

}  // namespace
