// Signals to the launcher, and to single ranks.

#include <signal.h>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::command;
using far::test::far_run;
using far::test::lines_of;
using far::test::numbers_after;
using far::test::outcome;

/// Waits until n ranks have joined. Returns their process ids, by rank.
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

/// Requests reports from the launcher until one has `what` for every rank.
void ask_until_all(command& job, int n, const std::string& what) {
  const auto said_of = [&](int rank) {
    const std::string who = "far run: rank " + std::to_string(rank) + " (pid ";
    for (const std::string& line : lines_of(job.errors())) {
      if (line.rfind(who, 0) == 0 && line.find(what) != line.npos) return true;
    }
    return false;
  };
  for (int rank = 0; rank < n; ++rank) {
    while (!said_of(rank)) {
      job.send(SIGQUIT);
      ASSERT_TRUE(job.wait_for_more_errors("far run: ")) << job.errors();
    }
  }
}

TEST(LaunchSignals, AreForwardedToEveryRank) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    command job(far_run({"-n", "3", built("test-act"), "catch-signals"}));
    pids_of(job, 3);
    job.send(signal);
    const outcome result = job.finish();
    const auto got = numbers_after(result.output, "got signal ");
    // A rank's handler ends the rank. The launcher takes this for a failure and ends the others,
    // but the forwarded signal was there before.
    EXPECT_EQ(got, std::vector<int>(3, signal)) << result.output << result.errors;
    EXPECT_EQ(result.status, 1);
  }
}

TEST(LaunchSignals, EndAJobThatDoesNotCatchThem) {
  command job(far_run({"-n", "3", built("test-act"), "wait"}));
  pids_of(job, 3);
  job.send(SIGTERM);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGTERM);
  EXPECT_EQ(result.errors, "far run: ended by signal 15 (Terminated)\n");
}

TEST(LaunchSignals, ReachARankBehindAScript) {
  // The script has a command left to run, so the rank does not replace it.
  command job(far_run({"-n", "2", "sh", "-c", "\"$0\" catch-signals; exit 5", built("test-act")}));
  pids_of(job, 2);
  job.send(SIGUSR1);
  const outcome result = job.finish();
  EXPECT_EQ(numbers_after(result.output, "got signal "), std::vector<int>(2, SIGUSR1));
  EXPECT_EQ(result.status, 5);
}

TEST(LaunchSignals, SecondInterruptKills) {
  command job(far_run({"-n", "2", "sh", "-c",
                       "trap 'echo caught' INT; sleep 1000 & "
                       "echo up; while :; do wait; done"}));
  ASSERT_TRUE(job.wait_for_output("up\nup\n"));
  job.send(SIGINT);
  ASSERT_TRUE(job.wait_for_output("caught\n"));
  job.send(SIGINT);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGINT);
  EXPECT_EQ(result.errors, "far run: ended by a second signal 2 (Interrupt)\n");
}

TEST(LaunchSignals, QuitReportsWhatEachRankWaitsFor) {
  command job(far_run({"-n", "3", built("test-act"), "wait"}));
  const auto pids = pids_of(job, 3);
  ask_until_all(job, 3, " waits for a test's word");
  for (int rank = 0; rank < 3; ++rank) {
    const std::string next = std::to_string((rank + 1) % 3);
    EXPECT_NE(job.errors().find("far run: rank " + std::to_string(rank) + " (pid " +
                                std::to_string(pids[static_cast<std::size_t>(rank)]) +
                                "): context 0 waits for a test's word, on rank " + next +
                                ", word " + next + "/0/64 (rank/segment/offset), since 0."),
              std::string::npos)
        << job.errors();
  }
  // The job continues.
  for (const pid_t pid : pids) EXPECT_TRUE(far::test::process_exists(pid));
  job.send(SIGTERM);
  EXPECT_EQ(job.finish().status, 128 + SIGTERM);
}

TEST(LaunchSignals, QuitReportsStoppedAndComputingRanks) {
  command job(far_run({"-n", "2", built("test-act"), "compute"}));
  const auto pids = pids_of(job, 2);
  ask_until_all(job, 2, "is computing, not waiting");
  for (const pid_t pid : pids) kill(pid, SIGSTOP);
  ask_until_all(job, 2, "is computing, not waiting (stopped)");
  job.send(SIGINT);
  for (const pid_t pid : pids) kill(pid, SIGCONT);
  EXPECT_EQ(job.finish().status, 128 + SIGINT);
}

// ThreadSanitizer delays a signal while its thread only computes.
#if !defined(__SANITIZE_THREAD__)
TEST(LaunchSignals, QuitToOneRankPrintsItsOwnLine) {
  command job(far_run({"-n", "2", built("test-act"), "compute"}));
  const auto pids = pids_of(job, 2);
  kill(pids[1], SIGQUIT);
  const std::string line =
      "far: rank 1 (pid " + std::to_string(pids[1]) + "): is computing, not waiting\n";
  EXPECT_TRUE(job.wait_for_error(line));
  EXPECT_EQ(job.errors(), line);
  job.send(SIGKILL);
  EXPECT_EQ(job.finish().status, 128 + SIGKILL);
}
#endif

TEST(LaunchSignals, QuitLeavesProgramsAloneThatDoNotJoin) {
  const outcome result =
      far::test::run_command(far_run({"-n", "2", "sh", "-c", "kill -QUIT $$; echo alive"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "alive\nalive\n");
}

/// Runs a shell's command line, in which $FAR and $ACT are programs of this build, and children of
/// the shell are ignored.
outcome shell_that_ignores_children(const std::string& line) {
  return far::test::run_command({"bash", "-c", "trap '' CHLD; " + line},
                                {{{"FAR", built("far")}, {"ACT", built("test-act")}}, "", false});
}

TEST(LaunchSignals, AnIgnoredChildSignalHidesNoEnd) {
  for (const std::string how : {"run -n 2", "run -n 2 --threads", "sim -n 2"}) {
    SCOPED_TRACE(how);
    const outcome well = shell_that_ignores_children("exec \"$FAR\" " + how + " \"$ACT\" say");
    EXPECT_EQ(well.status, 0) << well.errors;
    EXPECT_EQ(numbers_after(well.output, "ready ").size(), 2u);
    const outcome badly =
        shell_that_ignores_children("exec \"$FAR\" " + how + " \"$ACT\" throw 1 text");
    EXPECT_EQ(badly.status, 1) << badly.errors;
  }
}

TEST(LaunchSignals, RanksIgnoreWhatTheUserHasIgnored) {
  const outcome result =
      shell_that_ignores_children("exec \"$FAR\" run -n 1 grep SigIgn /proc/self/status");
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::uint64_t ignored =
      std::stoull(result.output.substr(result.output.find_first_of("0123456789")), nullptr, 16);
  EXPECT_NE(ignored & (std::uint64_t{1} << (SIGCHLD - 1)), 0u) << result.output;
}

#ifdef FAR_TEST_UCX
TEST(LaunchSignals, AHangUpEndsRanksOverUcx) {
  far::test::surroundings around;
  around.variables = {{"FAR_FABRIC", "ucx"}, {"FAR_RANKS_PER_NODE", "1"}};
  command job(far_run({"-n", "2", built("test-act"), "wait"}), around);
  pids_of(job, 2);
  job.send(SIGHUP);
  EXPECT_EQ(job.finish().status, 128 + SIGHUP);
}
#endif

}  // namespace
