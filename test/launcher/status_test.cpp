// The exit status of `far run`, and the one line that explains it.

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::far_run;
using far::test::lines_of;
using far::test::numbers_after;
using far::test::outcome;
using far::test::run_command;

/// The launcher's own lines on standard error.
std::vector<std::string> told(const outcome& result) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(result.errors)) {
    if (line.rfind("far run: ", 0) == 0) lines.push_back(line);
  }
  return lines;
}

/// A failure must be reported in one line, and nothing else on standard error.
void expect_one_line(const outcome& result, const std::string& begin, const std::string& end) {
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  const std::string line = lines_of(result.errors).front();
  EXPECT_EQ(line.substr(0, begin.size()), begin);
  ASSERT_GE(line.size(), end.size()) << line;
  EXPECT_EQ(line.substr(line.size() - end.size()), end) << line;
}

TEST(LaunchStatus, ZeroWhenAllRanksEndWell) {
  const outcome result = run_command(far_run({"-n", "3", built("test-act")}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(numbers_after(result.output, "ready ").size(), 3u);
}

TEST(LaunchStatus, ProgramsThatNeverJoinJustRun) {
  const outcome result = run_command(far_run({"-n", "4", "echo", "a", "b"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "a b\na b\na b\na b\n");
  EXPECT_EQ(result.errors, "");
}

TEST(LaunchStatus, FollowsTheRankThatFails) {
  const outcome result = run_command(far_run({"-n", "4", built("test-act"), "exit", "2", "17"}));
  EXPECT_EQ(result.status, 17);
  expect_one_line(result, "far run: rank 2 (pid ",
                  ") exited with status 17; ended the other 3 ranks");
}

TEST(LaunchStatus, FollowsAFailureAfterTheJob) {
  const outcome result = run_command(far_run({"-n", "1", built("test-act"), "fail-later"}));
  EXPECT_EQ(result.status, 7);
  expect_one_line(result, "far run: rank 0 (pid ", ") exited with status 7");
}

TEST(LaunchStatus, FollowsTheSignalOfTheRankThatDies) {
  const outcome result =
      run_command(far_run({"-n", "2", built("test-act"), "raise", "1", std::to_string(SIGKILL)}));
  EXPECT_EQ(result.status, 128 + SIGKILL);
  expect_one_line(result, "far run: rank 1 (pid ",
                  ") died from signal 9 (Killed); ended the other rank");
}

TEST(LaunchStatus, TellsTheExceptionOnce) {
  const outcome result =
      run_command(far_run({"-n", "4", built("test-act"), "throw", "3", "no such vertex"}));
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank 3 (pid ",
                  ") exited with status 1: no such vertex; ended the other 3 ranks");
}

TEST(LaunchStatus, TellsOneOfManyExceptions) {
  const outcome result =
      run_command(far_run({"-n", "4", built("test-act"), "throw-other", "-1", "all fail"}));
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank ",
                  ") exited with status 1: all fail; ended the other 3 ranks");
}

TEST(LaunchStatus, LeavingEarlyWithStatusZeroIsAFailure) {
  for (const char* const action : {"leave", "exit"}) {
    const outcome result = run_command(far_run({"-n", "3", built("test-act"), action, "1", "0"}));
    EXPECT_EQ(result.status, 1);
    expect_one_line(result, "far run: rank 1 (pid ",
                    ") exited with status 0 before the job's end; ended the other 2 ranks");
  }
}

constexpr const char* not_joined =
    ") exited with status 0 without joining the job that other ranks have joined; ended the other "
    "2 ranks";

TEST(LaunchStatus, LeavingBeforeOthersJoinIsAFailure) {
  // The others join when they see that rank 0 has ended.
  far::test::command job(far_run(
      {"-n", "3", "sh", "-c", "case $FAR_JOB in *:0) ;; *) kill -STOP $$; exec \"$0\" wait;; esac",
       built("test-act")}));
  std::vector<pid_t> others;  // rank 0 may have just started; it never stops
  EXPECT_TRUE(far::test::eventually([&] {
    others = far::test::children_of(job.pid());
    return others.size() == 2 && std::ranges::all_of(others, far::test::process_stopped);
  }));
  for (const pid_t rank : others) {
    EXPECT_TRUE(far::test::resume_until_end(rank));
  }
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank 0 (pid ", not_joined);
}

TEST(LaunchStatus, LeavingAfterOthersHaveJoinedIsAFailure) {
  far::test::command job(
      far_run({"-n", "3", "sh", "-c",
               "case $FAR_JOB in *:0) echo pid $$; kill -STOP $$;; *) exec \"$0\" wait;; esac",
               built("test-act")}));
  ASSERT_TRUE(job.wait_for_output("\n"));
  // The launcher's report shows when the others have joined.
  for (const char* const rank : {"rank 1 (pid ", "rank 2 (pid "}) {
    while (job.errors().find(rank) == std::string::npos) {
      job.send(SIGQUIT);
      ASSERT_TRUE(job.wait_for_more_errors("far run: "));
    }
  }
  EXPECT_TRUE(far::test::resume_until_end(numbers_after(job.output(), "pid ").at(0)));
  outcome result = job.finish();
  EXPECT_EQ(result.status, 1);
  result.errors = told(result).back() + '\n';
  expect_one_line(result, "far run: rank 0 (pid ", not_joined);
}

TEST(LaunchStatus, ProgramThatDoesNotExist) {
  const outcome result = run_command(far_run({"-n", "2", "no-such-program", "--help"}));
  EXPECT_EQ(result.status, 127);
  EXPECT_EQ(result.errors, "far run: cannot run 'no-such-program': there is no such program\n");
}

TEST(LaunchStatus, ProgramThatCannotBeExecuted) {
  const std::string plain = testing::TempDir() + "far-plain-" + std::to_string(getpid());
  std::ofstream(plain) << "text\n";
  const outcome result = run_command(far_run({plain}));
  EXPECT_EQ(result.status, 126);
  EXPECT_EQ(result.errors, "far run: cannot run '" + plain + "': Permission denied\n");

  std::ofstream(plain) << "#!/no/such/interpreter\n";
  chmod(plain.c_str(), 0700);
  const outcome lost = run_command(far_run({plain}));
  EXPECT_EQ(lost.status, 127);
  EXPECT_EQ(lost.errors,
            "far run: cannot run '" + plain + "': the interpreter that it names does not exist\n");
  unlink(plain.c_str());
}

TEST(LaunchStatus, WrongUsageIsToldInOneLine) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"-n"},
      {"-n", "0", "true"},
      {"-n", "-3", "true"},
      {"-n", "4097", "true"},
      {"-n", "99999999999999", "true"},
      {"-n", "two", "true"},
      {"--no-such-option", "true"},
      {"--timeout", "0", "true"},
      {"--timeout", "-1", "true"},
      {"--timeout", "soon", "true"},
      {"--symmetric-heap", "much", "true"},
      {"--local-heap", "1", "true"},
      {"--threads", "--tag-output", "true"},
      {"-n", "2", "--"},
  };
  for (const auto& arguments : wrong) {
    const outcome result = run_command(far_run(arguments));
    EXPECT_EQ(result.status, 2);
    expect_one_line(result, "far run: ", "; see far run --help");
    EXPECT_EQ(result.output, "");
  }
}

TEST(LaunchStatus, WrongVariablesAreToldInOneLine) {
  for (const char* const name :
       {"FAR_SYMMETRIC_HEAP", "FAR_LOCAL_HEAP", "FAR_NIC_HEAP", "FAR_CONTEXTS",
        "FAR_RANKS_PER_NODE", "FAR_PEER_TIMEOUT", "FAR_START_TIMEOUT", "FAR_LEVELS", "FAR_FABRIC",
        "FAR_TERMINAL", "FAR_SIM_SEED", "FAR_SIM_PATIENCE"}) {
    SCOPED_TRACE(name);
    const far::test::surroundings around{{{name, "many"}}, "", false};
    const outcome launched = run_command(far_run({"true"}), around);
    EXPECT_EQ(launched.status, 2);
    expect_one_line(launched, std::string("far run: ") + name, "; see far run --help");
    // Also where the job does not need the variable: one rank alone, and a simulation.
    for (const std::vector<std::string>& line :
         {std::vector<std::string>{built("test-act"), "say"},
          {built("far"), "sim", "-n", "2", built("test-act"), "say"}}) {
      if (line.size() > 2 && std::string(name) == "FAR_SIM_SEED") continue;  // far sim sets it
      const outcome result = run_command(line, around);
      EXPECT_EQ(result.status, 1);
      EXPECT_EQ(result.output, "");
      expect_one_line(result, std::string("far: ") + name, "");
    }
  }
}

TEST(LaunchStatus, TheLongestTimeLimitIsTold) {
  EXPECT_EQ(run_command(far_run({"--timeout", "1e9", "true"})).status, 0);
  const outcome result = run_command(far_run({"--timeout", "1.1e9", "true"}));
  EXPECT_EQ(result.status, 2);
  expect_one_line(result,
                  "far run: --timeout: want a number of seconds above 0 and up to 1000000000;",
                  "; see far run --help");
}

TEST(LaunchStatus, OptionsAfterTheProgramAreThePrograms) {
  const outcome result =
      run_command(far_run({"-n", "2", "echo", "-n", "7", "--", "--threads", "[a,b]", ""}));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "7 -- --threads [a,b] \n7 -- --threads [a,b] \n");
  const outcome dashes = run_command(far_run({"-n1", "--timeout=50", "--", "echo", "--"}));
  EXPECT_EQ(dashes.output, "--\n");
}

TEST(LaunchStatus, TimeLimitPrintsWhatRanksWaitForAndEndsThem) {
  far::test::command job(far_run({"-n", "3", "--timeout", "2", built("test-act"), "wait"}));
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 124);
  const auto lines = told(result);
  ASSERT_GE(lines.size(), 4u);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_NE(result.errors.find("far run: rank " + std::to_string(rank)), std::string::npos);
  }
  EXPECT_EQ(lines.back(), "far run: the time limit of 2 s has passed; ended 3 ranks");
}

TEST(LaunchStatus, ARankIsOneProgram) {
  const outcome script =
      run_command(far_run({"-n", "1", "sh", "-c", "\"$0\" && \"$0\"", built("test-act")}));
  EXPECT_EQ(script.status, 1);
  expect_one_line(script, "far run: rank 0 (pid ", ": start one libfar program per `far run`");
}

TEST(LaunchStatus, ProgramsThatARankStartsAreNoRanks) {
  const outcome result =
      run_command(far_run({"-n", "2", built("test-act"), "environment", "-1", "FAR_JOB"}));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.output.find("FAR_JOB is not set"), std::string::npos);
}

TEST(LaunchStatus, WithoutALauncherAFailureIsToldByTheProgram) {
  const outcome result = run_command({built("test-act"), "throw", "0", "no such vertex"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, "far: no such vertex\n");
}

TEST(LaunchStatus, AProgramBesideTheUserIsNamed) {
  const outcome result =
      run_command({"sh", "-c", "cd \"$(dirname \"$ACT\")\" && exec \"$FAR\" run test-act"},
                  {{{"FAR", built("far")}, {"ACT", built("test-act")}}, "", false});
  EXPECT_EQ(result.status, 127);
  EXPECT_NE(result.errors.find("; ./test-act is the one here"), std::string::npos) << result.errors;
}

}  // namespace
