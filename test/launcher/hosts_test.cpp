// `far run --hosts` without hosts: this machine stands for several. Each has its own mapping, and a
// script that runs the command here takes the place of ssh.

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::children_of;
using far::test::command;
using far::test::eventually;
using far::test::far_run;
using far::test::lines_of;
using far::test::numbers_after;
using far::test::outcome;
using far::test::process_exists;
using far::test::run_command;
using far::test::surroundings;

const std::string here = std::string(FAR_SOURCE_DIR) + "/test/hosts/here.sh";

/// Restricts connections to the ranks of this machine.
surroundings around(std::vector<std::pair<std::string, std::string>> more = {}) {
  surroundings result;
  result.variables = {
      {"FAR_RSH", here},          {"UCX_TLS", "tcp,self"},       {"UCX_NET_DEVICES", "lo"},
      {"UCX_LOG_LEVEL", "fatal"}, {"FAR_SYMMETRIC_HEAP", "16M"}, {"FAR_LOCAL_HEAP", "16M"}};
  result.variables.insert(result.variables.end(), more.begin(), more.end());
  return result;
}

std::vector<std::string> on_hosts(const std::vector<std::string>& arguments) {
  std::vector<std::string> result{"--hosts", "one:2,two:2"};
  result.insert(result.end(), arguments.begin(), arguments.end());
  return far_run(result);
}

void expect_one_line(const outcome& result, const std::string& begin, const std::string& end) {
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  const std::string line = lines_of(result.errors).front();
  EXPECT_EQ(line.substr(0, begin.size()), begin);
  ASSERT_GE(line.size(), end.size()) << line;
  EXPECT_EQ(line.substr(line.size() - end.size()), end) << line;
}

TEST(LaunchHosts, StartsARankPerSlotInOrder) {
  const outcome result =
      run_command(on_hosts({"--tag-output", "sh", "-c", "echo $HOSTNAME"}), around());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
  std::vector<std::string> lines = lines_of(result.output);
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (std::vector<std::string>{"[0] one", "[1] one", "[2] two", "[3] two"}));
}

TEST(LaunchHosts, FewerRanksThanSlots) {
  const outcome result = run_command(on_hosts({"-n", "3", "sh", "-c", "echo $HOSTNAME"}), around());
  EXPECT_EQ(numbers_after(result.output, "one").size(), 2u);
  EXPECT_EQ(numbers_after(result.output, "two").size(), 1u);
}

TEST(LaunchHosts, OutputAndErrorsAreWholeLines) {
  const outcome result = run_command(
      on_hosts({"awk",
                "BEGIN { for (i = 0; i < 2000; i++) { printf \"a line \"; "
                "if (i % 7 == 0) fflush(); print i; print \"error\" > \"/dev/stderr\" } }"}),
      around());
  EXPECT_EQ(result.status, 0);
  const auto lines = lines_of(result.output);
  EXPECT_EQ(lines.size(), 8000u);
  for (const std::string& line : lines) ASSERT_EQ(line.rfind("a line ", 0), 0u) << line;
  EXPECT_EQ(lines_of(result.errors), std::vector<std::string>(8000, "error"));
}

TEST(LaunchHosts, StandardInputIsRank0s) {
  surroundings with_input = around();
  for (int i = 0; i < 40000; ++i) with_input.input += "0123456789\n";
  const outcome result = run_command(on_hosts({"--tag-output", "wc", "-c"}), with_input);
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.output.find("[0] 440000\n"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("[3] 0\n"), std::string::npos) << result.output;
}

TEST(LaunchHosts, OutputThatNobodyReadsEndsTheRanks) {
  command job(on_hosts({"yes"}), around());
  ASSERT_TRUE(job.wait_for_output("y\ny\n"));
  job.close_output();
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGPIPE);
  EXPECT_EQ(result.errors, "");
}

TEST(LaunchHosts, InputThatNobodyReadsIsNoHindrance) {
  surroundings with_input = around();
  with_input.input.assign(400000, 'x');
  EXPECT_EQ(run_command(on_hosts({"sh", "-c", "exec <&-; echo done"}), with_input).output,
            "done\ndone\ndone\ndone\n");
}

TEST(LaunchHosts, SettingsReachTheRanksAndNobodyElse) {
  const outcome result =
      run_command(on_hosts({"sh", "-c", "echo $FAR_CONTEXTS $UCX_TLS $SOMETHING_ELSE in $(pwd)"}),
                  around({{"FAR_CONTEXTS", "7"}, {"UCX_LOG_LEVEL", "warn"}}));
  std::array<char, 4096> folder{};
  ASSERT_NE(getcwd(folder.data(), folder.size()), nullptr);
  const auto lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 4u);
  for (const auto& line : lines) EXPECT_EQ(line, "7 tcp,self in " + std::string(folder.data()));
}

TEST(LaunchHosts, TheProgramIsNotThere) {
  const outcome result = run_command(on_hosts({"/nowhere/program"}), around());
  EXPECT_EQ(result.status, 127);
  expect_one_line(result, "far run: host '",
                  "': cannot run '/nowhere/program': there is no such program");
}

TEST(LaunchHosts, FollowsTheRankThatFails) {
  const outcome result =
      run_command(on_hosts({"sh", "-c", "test $HOSTNAME = one || exit 17; sleep 100"}), around());
  EXPECT_EQ(result.status, 17);
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_NE(result.errors.find("on host 'two') exited with status 17; ended the other "),
            std::string::npos)
      << result.errors;
}

TEST(LaunchHosts, TimeLimit) {
  const outcome result = run_command(on_hosts({"--timeout", "0.5", "sleep", "100"}), around());
  EXPECT_EQ(result.status, 124);
  EXPECT_NE(result.errors.find("far run: the time limit of 0.5 s has passed; ended 4 ranks\n"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("far run: host 'two': rank 3: has not joined the job\n"),
            std::string::npos)
      << result.errors;
}

TEST(LaunchHosts, WrongCommandLinesAreToldInOneLine) {
  const std::vector<std::vector<std::string>> wrong{{"--hosts", "", "true"},
                                                    {"--hosts", "a:0", "true"},
                                                    {"--hosts", "a,a", "true"},
                                                    {"--hosts", "-x", "true"},
                                                    {"--hosts", "a:2", "-n", "3", "true"},
                                                    {"--hosts", "a", "-n", "0", "true"},
                                                    {"--hosts", "a", "--threads", "true"},
                                                    {"--hosts", "a"},
                                                    {"--rsh", "x", "true"},
                                                    {"--remote-far", "x", "true"},
                                                    {"--hosts", "a", "--rsh", " ", "true"}};
  for (const auto& arguments : wrong) {
    const outcome result = run_command(far_run(arguments), around());
    EXPECT_EQ(result.status, 2) << arguments[1];
    expect_one_line(result, "far run: ", "; see far run --help");
  }
  EXPECT_EQ(run_command(on_hosts({"true"}), around({{"FAR_FABRIC", "shm"}})).status, 2);
}

TEST(LaunchHosts, HostsThatCannotBeReached) {
  const outcome result = run_command(far_run({"--hosts", "one,nowhere", "true"}), around());
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: cannot reach host 'nowhere'", ": there is no host nowhere");
  const outcome no_shell = run_command(on_hosts({"--rsh", "/no/ssh", "true"}), around());
  EXPECT_EQ(no_shell.status, 127);
  expect_one_line(no_shell, "far run: cannot run '/no/ssh'", ": there is no such program");
}

/// Runs with a script in the place of the hosts' far.
outcome with_far(const std::string& script, const std::string& program = "true") {
  const std::string path = ::testing::TempDir() + "far-there-" + std::to_string(getpid());
  std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
  chmod(path.c_str(), S_IRWXU);
  const outcome result = run_command(on_hosts({"--remote-far", path, program}), around());
  unlink(path.c_str());
  EXPECT_EQ(result.status, 1);
  return result;
}

TEST(LaunchHosts, FarIsNotThere) {
  const outcome result = run_command(on_hosts({"--remote-far", "/no/far", "true"}), around());
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: cannot start '/no/far' on host '",
                  "--remote-far says where far is there");
}

TEST(LaunchHosts, SomethingElseIsThere) {
  expect_one_line(with_far("echo Welcome"), "far run: host '",
                  "what came from it is not far's: 'Welcome'; nothing there may print before far "
                  "does");
  expect_one_line(with_far("exit 3"), "far run: the connection to host '",
                  "ended before the job began: status 3");
  // {"build": 1}
  expect_one_line(
      with_far("printf 'flet\\0\\0\\0\\0\\010\\0\\0\\0\\241\\145build\\001'; sleep 987"),
      "far run: '", "install the same there, or say --remote-far");
}

TEST(LaunchHosts, TheWorkingFolderIsNotThere) {
  std::string folder = ::testing::TempDir() + "far-folder-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  // The script in the place of ssh removes the folder.
  const std::string way = folder + "-rsh";
  std::ofstream(way) << "#!/bin/sh\nrmdir '" << folder << "' 2> /dev/null\nexec " << here
                     << " \"$@\"\n";
  chmod(way.c_str(), S_IRWXU);
  const outcome result = run_command(
      {"sh", "-c", "cd " + folder + " && exec \"$0\" run --hosts one --rsh " + way + " true",
       built("far")},
      around());
  unlink(way.c_str());
  EXPECT_EQ(result.status, 1);
  // Shells may print lines of their own.
  EXPECT_NE(result.errors.find("far run: host 'one': cannot enter the working directory '" +
                               folder + "' there: No such file or directory\n"),
            std::string::npos)
      << result.errors;
}

TEST(LaunchHosts, SignalsAreForwarded) {
  command job(on_hosts({"--tag-output", "sh", "-c",
                        "trap 'echo got TERM; exit 0' TERM; echo ready; "
                        "while :; do sleep 0.1; done"}),
              around());
  for (const char* rank : {"[0]", "[1]", "[2]", "[3]"}) {
    ASSERT_TRUE(job.wait_for_output(rank + std::string(" ready")));
  }
  job.send(SIGTERM);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(numbers_after(result.output, "got TERM").size(), 4u);
}

// UCX leaks memory at its end.
#if defined(FAR_TEST_UCX) && !defined(__SANITIZE_ADDRESS__)

/// The process ids of this job's ranks, from the output of test-act.
std::vector<int> ranks_of(command& job, int count) {
  for (int rank = 0; rank < count; ++rank) {
    job.wait_for_output("ready " + std::to_string(rank) + " pid ");
  }
  return numbers_after(job.output(), " pid ");
}

bool all_gone(const std::vector<int>& pids) {
  return eventually([&] {
    for (const int pid : pids) {
      if (process_exists(pid)) return false;
    }
    return true;
  });
}

TEST(LaunchHosts, RanksOfAllHostsTalk) {
  const outcome result = run_command(on_hosts({built("test-busy"), "3"}), around());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
}

TEST(LaunchHosts, ARankThatDiesEndsTheJobWithItsName) {
  const outcome result = run_command(on_hosts({built("test-act"), "raise", "2", "9"}), around());
  EXPECT_EQ(result.status, 128 + 9);
  expect_one_line(result, "far run: rank 2 (pid ",
                  " on host 'two') died from signal 9 (Killed); ended the other 3 ranks");
}

TEST(LaunchHosts, AnExceptionIsTold) {
  const outcome result =
      run_command(on_hosts({built("test-act"), "throw", "1", "so it is"}), around());
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank 1 (pid ",
                  " on host 'one') exited with status 1: so it is; ended the other 3 ranks");
}

TEST(LaunchHosts, RanksThatNeverJoinAreMissed) {
  const outcome result = run_command(
      on_hosts({"sh", "-c", "test $HOSTNAME = two || exec " + built("test-act") + " wait"}),
      around());
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank 2 ",
                  "without joining the job that other ranks have joined; ended the other 2 ranks");
}

TEST(LaunchHosts, RanksOfOtherBuildsAreRefused) {
  const outcome result =
      run_command(on_hosts({"sh", "-c",
                            "test $HOSTNAME = one && exec " + built("test-build_a") + "; exec " +
                                built("test-build_b")}),
                  around());
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: rank 2 ", "; ended the other 3 ranks");
  EXPECT_NE(result.errors.find("is of a different build than rank 0, on host 'one'"),
            std::string::npos);
}

TEST(LaunchHosts, TellsWhatRanksWaitFor) {
  command job(on_hosts({built("test-act"), "wait"}), around());
  ASSERT_EQ(ranks_of(job, 4).size(), 4u);
  // A rank may need a moment to reach its wait.
  while (job.errors().find("waits for a test's word, on rank 0") == std::string::npos) {
    job.send(SIGQUIT);
    ASSERT_TRUE(job.wait_for_more_errors("far run: ")) << job.errors();
  }
  EXPECT_NE(job.errors().find("far run: host 'two': rank 3 (pid "), std::string::npos);
  job.send(SIGINT);
  EXPECT_EQ(job.finish().status, 128 + SIGINT);
  EXPECT_NE(job.errors().find("far run: ended by signal 2 (Interrupt)\n"), std::string::npos)
      << job.errors();
}

TEST(LaunchHosts, NothingIsLeftWhenTheHeadIsKilled) {
  command job(on_hosts({built("test-act"), "ignore-term"}), around());
  const auto pids = ranks_of(job, 4);
  ASSERT_EQ(pids.size(), 4u);
  const auto nodes = children_of(job.pid());
  EXPECT_EQ(nodes.size(), 2u);
  job.send(SIGKILL);
  EXPECT_TRUE(all_gone(pids));
  EXPECT_TRUE(all_gone({nodes.begin(), nodes.end()}));
}

TEST(LaunchHosts, AHostThatIsGoneIsNamed) {
  command job(on_hosts({built("test-act"), "wait"}), around());
  const auto pids = ranks_of(job, 4);
  ASSERT_EQ(pids.size(), 4u);
  kill(children_of(job.pid()).at(1), SIGKILL);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: the connection to host 'two' is lost", "");
  EXPECT_TRUE(all_gone(pids));
}

TEST(LaunchHosts, AHostThatIsSilentIsNamed) {
  command job(on_hosts({built("test-act"), "wait"}), around({{"FAR_PEER_TIMEOUT", "2"}}));
  const auto pids = ranks_of(job, 4);
  ASSERT_EQ(pids.size(), 4u);
  kill(children_of(job.pid()).at(1), SIGSTOP);
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 1);
  expect_one_line(result, "far run: nothing was heard of host 'two' for 2 s", "");
  EXPECT_TRUE(all_gone(pids));
}

TEST(LaunchHosts, AHeadThatIsSilentIsGivenUp) {
  command job(on_hosts({built("test-act"), "wait"}), around({{"FAR_PEER_TIMEOUT", "2"}}));
  const auto pids = ranks_of(job, 4);
  ASSERT_EQ(pids.size(), 4u);
  job.send(SIGSTOP);
  EXPECT_TRUE(all_gone(pids));
  job.send(SIGCONT);
  EXPECT_EQ(job.finish().status, 1);
}

TEST(LaunchHosts, SeveralJobsOneAfterTheOther) {
  const outcome result = run_command(on_hosts({built("test-job"), "several", "3"}), around());
  EXPECT_EQ(result.status, 0) << result.errors;
  std::vector<int> sums = numbers_after(result.output, " of 4 sum ");
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(sums, (std::vector<int>{8, 8, 8, 8, 16, 16, 16, 16, 24, 24, 24, 24}));
}

TEST(LaunchHosts, AHostWhoseRanksComeToFewerJobsEndsTheOthers) {
  const outcome result =
      run_command(far_run({"--hosts", "one:1,two:1", built("test-job"), "less"}), around());
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("without joining the job that other ranks have joined"),
            std::string::npos)
      << result.errors;
}

TEST(LaunchHosts, ExitJobEndsAllRanks) {
  const outcome well = run_command(on_hosts({built("test-job"), "exit", "0"}), around());
  EXPECT_EQ(well.status, 0);
  EXPECT_EQ(well.errors, "");
  const outcome ill = run_command(on_hosts({built("test-job"), "exit", "7"}), around());
  EXPECT_EQ(ill.status, 7);
  EXPECT_NE(ill.errors.find("on host 'one') ended the job with status 7"), std::string::npos)
      << ill.errors;
}

#endif

}  // namespace
