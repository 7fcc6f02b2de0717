// far::job: a job without a function, under the launchers, alone, and several one after the other.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::far_run;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;
using far::test::surroundings;

surroundings with(std::vector<std::pair<std::string, std::string>> variables) {
  surroundings around;
  around.variables = std::move(variables);
  return around;
}

/// The lines of the output that begin with `begin`, sorted.
std::vector<std::string> lines_with(const outcome& result, const std::string& begin) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(result.output)) {
    if (line.rfind(begin, 0) == 0) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> job_lines(int jobs, int ranks) {
  std::vector<std::string> lines;
  for (int job = 1; job <= jobs; ++job) {
    for (int rank = 0; rank < ranks; ++rank) {
      lines.push_back("job " + std::to_string(job) + " rank " + std::to_string(rank) + " of " +
                      std::to_string(ranks) + " sum " + std::to_string(2 * job * ranks));
    }
  }
  return lines;
}

TEST(LaunchJob, JoinsWhatALauncherStarted) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "say"}));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(lines_with(result, "job "), job_lines(1, 3));
}

TEST(LaunchJob, IsOneRankAlone) {
  const outcome result = run_command({built("test-job"), "several", "3"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines_with(result, "job "), job_lines(3, 1));
}

TEST(LaunchJob, SeveralOneAfterTheOther) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "several", "5"}));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(lines_with(result, "job "), job_lines(5, 3));
}

#ifdef FAR_TEST_UCX
TEST(LaunchJob, SeveralOneAfterTheOtherOverUcx) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "several", "3"}),
                                     with({{"FAR_FABRIC", "ucx"}, {"FAR_RANKS_PER_NODE", "1"}}));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines_with(result, "job "), job_lines(3, 3));
}
#endif

TEST(LaunchJob, SharesStaticData) {
  for (const char* const program : {"test-statics", "test-statics_fixed"}) {
    const std::vector<std::string> expected{"job 1 rank 0 of 3", "job 1 rank 1 of 3",
                                            "job 1 rank 2 of 3", "job 2 rank 0 of 3",
                                            "job 2 rank 1 of 3", "job 2 rank 2 of 3"};
    const outcome result = run_command(far_run({"-n", "3", built(program)}));
    EXPECT_EQ(result.status, 0) << program << ": " << result.errors;
    EXPECT_EQ(lines_with(result, "job "), expected) << program;
#ifdef FAR_TEST_UCX
    const outcome apart = run_command(far_run({"-n", "3", built(program)}),
                                      with({{"FAR_FABRIC", "ucx"}, {"FAR_RANKS_PER_NODE", "1"}}));
    EXPECT_EQ(apart.status, 0) << program << ": " << apart.errors;
    EXPECT_EQ(lines_with(apart, "job "), expected) << program;
#endif
    const outcome alone = run_command({built(program)});
    EXPECT_EQ(alone.status, 0) << program << ": " << alone.errors;
  }
}

TEST(LaunchJob, RefusesToShareDifferentStaticData) {
  const std::string mixed = "case $FAR_JOB in *:1) exec " + built("test-statics_fixed") +
                            ";; *) exec " + built("test-statics") + ";; esac";
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{"sh", "-c", mixed}, {built("test-statics"), "differ"}}) {
    std::vector<std::string> line{"-n", "2"};
    line.insert(line.end(), program.begin(), program.end());
    const outcome result = run_command(far_run(line));
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find("shares other static data"), std::string::npos) << result.errors;
  }
}

TEST(LaunchJob, RefusesStaticDataInASimulation) {
  const outcome result = run_command({built("test-statics")}, with({{"FAR_SIM_RANKS", "1"}}));
  EXPECT_EQ(result.status, 1);
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_NE(result.errors.find("process of its own"), std::string::npos) << result.errors;
}

TEST(LaunchJob, ARankThatComesToFewerJobsEndsTheOthers) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "less"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lines_with(result, "job "), job_lines(1, 3));
  EXPECT_NE(result.errors.find("far run: rank 2 (pid "), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("exited with status 0 without joining the job"), std::string::npos)
      << result.errors;
}

TEST(LaunchJob, JobsDoNotNest) {
  for (const bool launched : {false, true}) {
    const std::vector<std::string> alone{built("test-job"), "nested"};
    const outcome result = run_command(launched ? far_run({"-n", "1", alone[0], alone[1]}) : alone);
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("caught: this process is in a job already"), std::string::npos)
        << result.output;
  }
}

TEST(LaunchJob, AnExceptionThatLeavesTheScopeEndsTheJob) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "throw"}));
  EXPECT_EQ(result.status, 1);
  const auto caught = lines_with(result, "caught: ");
  ASSERT_EQ(caught.size(), 3u) << result.output;
  EXPECT_EQ(caught[0], "caught: no such thing");
  EXPECT_EQ(caught[1], caught[2]);
  EXPECT_EQ(caught[2].rfind("caught: rank 1 failed: an exception has ended the scope", 0), 0u)
      << caught[2];
  EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
}

TEST(LaunchJob, AFailureSaysWhatWasThrown) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "fail"}));
  EXPECT_EQ(result.status, 3) << result.errors;
  EXPECT_EQ(lines_with(result, "caught: "),
            (std::vector<std::string>(2, "caught: rank 1 failed: no such vertex")));
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_NE(result.errors.find("exited with status 3: no such vertex"), std::string::npos)
      << result.errors;
}

TEST(LaunchJob, AnEarlyExitEndsTheJob) {
  const outcome result = run_command(far_run({"-n", "3", built("test-job"), "leave"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("exited with status 0 before the job's end"), std::string::npos)
      << result.errors;
}

TEST(LaunchJob, ExitJobEndsAllRanks) {
  const outcome well = run_command(far_run({"-n", "3", built("test-job"), "exit", "0"}));
  EXPECT_EQ(well.status, 0);
  EXPECT_EQ(well.errors, "");
  EXPECT_EQ(lines_with(well, "rank ").size(), 3u) << well.output;
  EXPECT_EQ(lines_with(well, "caught: ").size(), 0u) << well.output;
  const outcome ill = run_command(far_run({"-n", "3", built("test-job"), "exit", "7"}));
  EXPECT_EQ(ill.status, 7);
  ASSERT_EQ(lines_of(ill.errors).size(), 1u) << ill.errors;
  EXPECT_NE(ill.errors.find(" ended the job with status 7"), std::string::npos) << ill.errors;
}

TEST(LaunchJob, ExitJobEndsRanksThatCompute) {
  const outcome result = run_command(far_run({"-n", "2", built("test-act"), "end-job", "1", "0"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
}

TEST(LaunchJob, ExitJobEndsRanksThatAreThreadsOrFibers) {
  for (const char* const status : {"0", "7"}) {
    const outcome threads =
        run_command(far_run({"-n", "3", "--threads", built("test-act"), "exit-job", "1", status}));
    EXPECT_EQ(threads.status, std::atoi(status)) << threads.errors;
#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers
    const outcome fibers =
        run_command({built("far"), "sim", "-n", "3", built("test-act"), "exit-job", "1", status});
    EXPECT_EQ(fibers.status, std::atoi(status)) << fibers.errors;
#endif
  }
}

// These ranks are one process, which has one main.
TEST(LaunchJob, RanksThatShareAProcessNeedAFunction) {
  const std::string why = "caught: far::job is one rank, but this process is to hold all 3 ranks";
  const outcome fibers = run_command({built("far"), "sim", "-n", "3", built("test-job"), "say"});
  EXPECT_EQ(fibers.status, 1);
  EXPECT_EQ(lines_with(fibers, why).size(), 1u) << fibers.output;
  const outcome threads = run_command(far_run({"-n", "3", "--threads", built("test-job"), "say"}));
  EXPECT_EQ(threads.status, 1);
  EXPECT_EQ(lines_with(threads, why).size(), 1u) << threads.output;
}

TEST(LaunchJob, OneRankOfAProcessIsAJob) {
  const outcome thread =
      run_command(far_run({"-n", "1", "--threads", built("test-job"), "several", "3"}));
  EXPECT_EQ(thread.status, 0) << thread.errors;
  EXPECT_EQ(lines_with(thread, "job "), job_lines(3, 1));
#if !defined(FAR_THREAD_SANITIZER) && !defined(__SANITIZE_ADDRESS__)  // which cannot follow it
  const outcome fiber = run_command(
      {built("far"), "sim", "-n", "1", "-p", "cori-aries", built("test-job"), "several", "3"});
  EXPECT_EQ(fiber.status, 0) << fiber.output << fiber.errors;
  EXPECT_EQ(lines_with(fiber, "job "), job_lines(3, 1));
  EXPECT_NE(fiber.errors.find("far sim: 1 ranks"), std::string::npos) << fiber.errors;
  const outcome failed = run_command({built("far"), "sim", "-n", "1", built("test-job"), "alone"});
  EXPECT_EQ(failed.status, 1) << failed.errors;
  EXPECT_EQ(lines_with(failed, "caught: thrown alone").size(), 1u) << failed.output;
#endif
}

// Its stack, from where it was thrown, comes as for every crash.
TEST(LaunchJob, AnExceptionThatNothingCatchesEndsTheJob) {
  const outcome result = run_command(far_run({"-n", "2", built("test-job"), "uncaught"}));
  EXPECT_EQ(result.status, 134);
  EXPECT_NE(
      result.errors.find(" threw what nothing catches: no such thing; ended the other rank\n"),
      std::string::npos)
      << result.errors;
  EXPECT_EQ(result.errors.find("rank_failed"), std::string::npos) << result.errors;
}

TEST(LaunchJob, AForkOfARankIsNoRank) {
  const std::string why = "libfar was used in a process that a rank has forked";
  for (const std::string fabric : {"", "ucx"}) {
    for (const std::string action : {"barrier", "put", "return"}) {
      SCOPED_TRACE(fabric + " " + action);
      const outcome result = run_command(
          far_run({"-n", "2", "--timeout", "60", built("test-job"), "fork", action}),
          with({{"FAR_FABRIC", fabric}, {"FAR_RANKS_PER_NODE", fabric.empty() ? "" : "1"}}));
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(lines_with(result, "rank "),
                (std::vector<std::string>{"rank 0 of 2 in", "rank 0 word 0", "rank 1 of 2 in",
                                          "rank 1 word 0"}));
      EXPECT_NE(result.errors.find(why), std::string::npos) << result.errors;
#ifndef FAR_TEST_UCX
      break;
#endif
    }
  }
}

TEST(LaunchJob, ACrashOfAForkIsNotTheRanks) {
  const outcome result = run_command(far_run({"-n", "2", built("test-job"), "fork", "crash"}));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors.find("far: rank 1 "), std::string::npos) << result.errors;
}

TEST(LaunchJob, AnInterruptEndsTheWaitsOfItsRank) {
  for (const std::string fabric : {"", "ucx"}) {
    SCOPED_TRACE(fabric);
    const outcome result = run_command(
        far_run({"-n", "2", "--timeout", "60", built("test-job"), "interrupt"}),
        with({{"FAR_FABRIC", fabric}, {"FAR_RANKS_PER_NODE", fabric.empty() ? "" : "1"}}));
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_EQ(lines_with(result, "rank 1 int"), (std::vector<std::string>{"rank 1 interrupted"}));
    EXPECT_EQ(lines_with(result, "rank 0 got"),
              (std::vector<std::string>{"rank 0 got rank_failed"}));
#ifndef FAR_TEST_UCX
    break;
#endif
  }
}

TEST(LaunchJob, AClosedDescriptorOfTheJobIsNamed) {
  const outcome result = run_command(
      far_run({"-n", "1", "bash", "-c", "exec '" + built("test-job") + "' say 100<&-"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("the job's descriptor, 100, is closed"), std::string::npos)
      << result.output << result.errors;
}

}  // namespace
