// Output to a pipe that is open but not read: `far run ... | sleep 60`.

#include <signal.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::command;
using far::test::outcome;
using far::test::surroundings;

/// A pipe that is not read, although its reading end is open. Commands inherit it.
class unread_pipe {
 public:
  unread_pipe() {
    if (pipe(ends_.data()) != 0) ADD_FAILURE() << "no pipe";
  }
  ~unread_pipe() {
    for (const int end : ends_) close(end);
  }
  unread_pipe(const unread_pipe&) = delete;
  unread_pipe& operator=(const unread_pipe&) = delete;

  /// `far run ARGUMENTS` with this pipe as its output, as arguments of a command.
  [[nodiscard]] std::vector<std::string> far_run(const std::string& arguments) const {
    return {"sh", "-c",
            "exec '" + built("far") + "' run " + arguments + " >&" + std::to_string(ends_[1])};
  }

 private:
  std::array<int, 2> ends_{};
};

/// More than the pipe holds, and less than the launcher keeps; then a word, when it is written.
constexpr const char* much =
    "head -c 120000 /dev/zero | tr '\\''\\0'\\'' '\\''\\n'\\''; echo up >&2; ";

/// Expects far's last own line: `begin`, and how much is lost.
void expect_lost(const outcome& result, int status, const std::string& begin) {
  EXPECT_EQ(result.status, status);
  const std::string end = " bytes or more of the ranks' output are lost, for nobody reads them";
  const std::vector<std::string> lines = far::test::lines_of(result.errors);
  ASSERT_FALSE(lines.empty());
  const std::string& line = lines.back();
  EXPECT_EQ(line.rfind("far run: " + begin, 0), 0u) << line;
  ASSERT_GT(line.size(), end.size());
  EXPECT_EQ(line.substr(line.size() - end.size()), end);
}

TEST(StuckReader, DoesNotOutliveTheTimeLimit) {
  const unread_pipe output;
  expect_lost(command(output.far_run("-n 2 --timeout 1 yes")).finish(), 124,
              "the time limit of 1 s has passed; ended 2 ranks; ");
}

TEST(StuckReader, DoesNotOutliveTheTimeLimitWhenTheRanksHaveEnded) {
  const unread_pipe output;
  const std::string script = std::string("'") + much + "'";
  expect_lost(command(output.far_run("-n 1 --timeout 1 sh -c " + script)).finish(), 124,
              "the time limit of 1 s has passed; ");
}

TEST(StuckReader, DoesNotOutliveASignal) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const unread_pipe output;
    command job(output.far_run(std::string("-n 2 sh -c '") + much + "exec sleep 1000'"));
    ASSERT_TRUE(job.wait_for_error("up\nup\n"));
    job.send(signal);
    expect_lost(job.finish(), 128 + signal, "ended by signal " + std::to_string(signal) + " (");
  }
}

TEST(StuckReader, DoesNotOutliveARanksFailure) {
  const unread_pipe output;
  command job(output.far_run(std::string("-n 2 sh -c '") + much +
                             "case $FAR_JOB in *:1) exit 3;; esac; exec sleep 1000'"));
  expect_lost(job.finish(), 3, "rank 1 (pid ");
}

TEST(StuckReader, OfAJobThatHasEndedIsWaitedForUntilASignal) {
  const unread_pipe output;
  command job(output.far_run(std::string("-n 1 sh -c '") + much + "'"));
  ASSERT_TRUE(job.wait_for_error("up\n"));
  ASSERT_TRUE(far::test::eventually([&] { return far::test::children_of(job.pid()).empty(); }));
  job.send(SIGTERM);
  expect_lost(job.finish(), 1, "");
}

TEST(StuckReader, DoesNotOutliveTheTimeLimitOfAJobOverHosts) {
  const unread_pipe output;
  surroundings around;
  around.variables = {{"FAR_RSH", std::string(FAR_SOURCE_DIR) + "/test/hosts/here.sh"},
                      {"UCX_TLS", "tcp,self"},
                      {"UCX_NET_DEVICES", "lo"},
                      {"UCX_LOG_LEVEL", "fatal"},
                      {"FAR_SYMMETRIC_HEAP", "16M"},
                      {"FAR_LOCAL_HEAP", "16M"}};
  expect_lost(command(output.far_run("--hosts one:1,two:1 --timeout 2 yes"), around).finish(), 124,
              "the time limit of 2 s has passed; ended 2 ranks; ");
}

}  // namespace
