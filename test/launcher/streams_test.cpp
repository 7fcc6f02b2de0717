// Standard streams that are closed, or cannot be written to.

#include <gtest/gtest.h>

#include "test/launcher/shell.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::outcome;
using far::test::shell;

constexpr const char* closed = "Bad file descriptor\n";
constexpr const char* full = "No space left on device\n";

/// Expects one line on standard error, and status 1.
void expect_told(const outcome& result, const std::string& line) {
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, line);
}

/// Expects the line that the launcher makes from the rank's line.
void expect_told_of_rank(const outcome& result, const std::string& end) {
  EXPECT_EQ(result.status, 1);
  ASSERT_EQ(far::test::lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_EQ(result.errors.rfind("far run: rank ", 0), 0u) << result.errors;
  EXPECT_NE(result.errors.find(end.substr(0, end.size() - 1)), std::string::npos) << result.errors;
}

TEST(ClosedStreams, NothingOfAJobTakesTheirPlace) {
  const std::string nothing = "anon_inode:[eventpoll]\n";
  const std::string held = "0 is " + nothing + "1 is " + nothing + "2 is " + nothing;
  EXPECT_EQ(shell("exec 9>&1; \"$ACT\" show-streams <&- >&- 2>&-").output, held);
  EXPECT_EQ(shell("exec 9>&1; \"$FAR\" sim -n 2 \"$ACT\" show-streams 1 <&- >&- 2>&-").output,
            held);
  EXPECT_EQ(shell("exec 9>&1; export ACT; \"$FAR\" run -n 2 sh -c "
                  "'exec \"$ACT\" show-streams 1 <&- >&- 2>&-'")
                .output,
            held);
}

TEST(ClosedStreams, AProgramThatPrintsFails) {
  expect_told(shell("exec \"$ACT\" say -1 text >&-"),
              std::string("far: cannot write to standard output: ") + closed);
  expect_told(shell("exec \"$ACT\" say -1 text >/dev/full"),
              std::string("far: cannot write to standard output: ") + full);
}

TEST(ClosedStreams, ALauncherThatCannotPassOutputOnFails) {
  const std::string what = "far run: cannot write the ranks' output: ";
  expect_told(shell("exec \"$FAR\" run -n 2 \"$ACT\" say -1 text >&-"), what + closed);
  expect_told(shell("exec \"$FAR\" run -n 2 --threads \"$ACT\" say -1 text >&-"), what + closed);
  expect_told(shell("exec \"$FAR\" run -n 2 echo text >/dev/full"), what + full);
}

TEST(ClosedStreams, ARankThatCannotPrintFailsItsJob) {
  expect_told_of_rank(shell("export ACT; exec \"$FAR\" run -n 2 sh -c 'exec \"$ACT\" say -1 text "
                            ">&-'"),
                      std::string("cannot write to standard output: ") + closed);
}

TEST(ClosedStreams, ASimulatedJobThatCannotPrintFails) {
  const std::string what = "far: cannot write to standard output: ";
  expect_told(shell("exec \"$FAR\" sim -n 2 \"$ACT\" say -1 text >&-"), what + closed);
  expect_told(shell("exec \"$FAR\" sim -n 2 --json \"$ACT\" say -1 text >/dev/full"), what + full);
}

TEST(ClosedStreams, TheCommandItselfFails) {
  for (const std::string arguments : {"info", "info --json", "--help", "--version", "run --help",
                                      "sim --list-profiles", "model explain queue push"}) {
    SCOPED_TRACE(arguments);
    const outcome result = shell("exec \"$FAR\" " + arguments + " >&-");
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(far::test::lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find("cannot write to standard output: Bad file descriptor"),
              std::string::npos)
        << result.errors;
  }
}

TEST(ClosedStreams, OnesThatNobodyNeedsDoNoHarm) {
  const outcome without_errors = shell("exec \"$FAR\" run -n 1 echo text 2>&-");
  EXPECT_EQ(without_errors.status, 0);
  EXPECT_EQ(without_errors.output, "text\n");
  const outcome without_input = shell("exec \"$FAR\" run -n 1 echo text <&-");
  EXPECT_EQ(without_input.status, 0);
  EXPECT_EQ(without_input.output, "text\n");
}

TEST(ClosedStreams, ErrorsOfRanksThatAreLostCountToo) {
  EXPECT_EQ(shell("exec \"$FAR\" run -n 2 sh -c 'echo text >&2' 2>&-").status, 1);
  EXPECT_EQ(shell("exec \"$FAR\" run -n 2 sh -c 'echo text >&2' 2>/dev/full").status, 1);
}

}  // namespace
