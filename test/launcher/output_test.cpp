// The output and the input of ranks.

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
using far::test::run_command;

/// A shell script as the ranks' program.
std::vector<std::string> ranks_run(const std::string& n, const std::string& script,
                                   const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"-n", n};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {"sh", "-c", script});
  return far_run(arguments);
}

TEST(LaunchOutput, ThousandsOfLinesStayWholeAndInOrder) {
  // Pieces of lines, which only the launcher can join.
  const outcome result =
      run_command(far_run({"-n", "4", "--tag-output", "awk",
                           "BEGIN { for (i = 0; i < 3000; i++) { printf \"line \"; "
                           "if (i % 7 == 0) fflush(); printf \"%d of a rank\\n\", i } }"}));
  EXPECT_EQ(result.status, 0);
  std::vector<int> next(4, 0);
  for (const std::string& line : lines_of(result.output)) {
    const int rank = line.size() > 2 ? line[1] - '0' : -1;
    ASSERT_TRUE(rank >= 0 && rank < 4) << line;
    const auto r = static_cast<std::size_t>(rank);
    EXPECT_EQ(line,
              "[" + std::to_string(rank) + "] line " + std::to_string(next[r]) + " of a rank");
    ++next[r];
  }
  EXPECT_EQ(next, std::vector<int>(4, 3000));
}

TEST(LaunchOutput, StandardErrorStaysApart) {
  const outcome result = run_command(ranks_run("2", "echo out; echo err >&2", {"--tag-output"}));
  EXPECT_EQ(lines_of(result.output).size(), 2u);
  EXPECT_NE(result.output.find("[0] out\n"), std::string::npos);
  EXPECT_NE(result.output.find("[1] out\n"), std::string::npos);
  EXPECT_NE(result.errors.find("[0] err\n"), std::string::npos);
  EXPECT_NE(result.errors.find("[1] err\n"), std::string::npos);
}

TEST(LaunchOutput, ALastLineWithoutItsEndGetsOne) {
  const outcome result = run_command(ranks_run("3", "printf abc"));
  EXPECT_EQ(result.output, "abc\nabc\nabc\n");
  EXPECT_EQ(run_command(ranks_run("1", "printf abc; printf d >&2", {"--tag-output"})).output,
            "[0] abc\n");
}

TEST(LaunchOutput, CarriageReturnsEndLinesToo) {
  // The rank continues only after its first piece was seen.
  command job(ranks_run("1", "printf '10%%\\r'; kill -STOP $$; printf '20%%\\r\\nend\\r\\n'",
                        {"--tag-output"}));
  EXPECT_TRUE(job.wait_for_output("[0] 10%\r"));
  const auto ranks = far::test::children_of(job.pid());
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_TRUE(far::test::resume_until_end(ranks.front()));
  EXPECT_EQ(job.finish().output, "[0] 10%\r[0] 20%\r\n[0] end\r\n");
}

TEST(LaunchOutput, BytesOfAnyValuePassUnchanged) {
  const outcome result = run_command(
      ranks_run("1",
                "awk 'BEGIN { for (i = 0; i < 256; i++) printf \"%c\", i; printf \"\\n\" }' "
                "| LC_ALL=C tr -d '\\r' | tee /dev/stderr"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, result.errors);
  EXPECT_NE(result.output.find('\0'), std::string::npos);
}

TEST(LaunchOutput, ALineOfManyMegabytesComesThrough) {
  const outcome result =
      run_command(ranks_run("1", "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), 20'000'000u + 5);
  EXPECT_EQ(result.output.find_first_not_of('x'), 20'000'000u);
}

TEST(LaunchOutput, ALongLineIsEndedBeforeAnotherRanksLine) {
  // Rank 0 writes more of a line than the launcher holds back, then rank 1 a line, then rank 0 the
  // rest.
  command job(ranks_run("2",
                        "echo rank ${FAR_JOB#*:} is $$ >&2; case $FAR_JOB in "
                        "*:0) head -c 400000 /dev/zero | tr '\\0' x; kill -STOP $$; echo xx;; "
                        "*) kill -STOP $$; echo other;; esac"));
  ASSERT_TRUE(job.wait_for_output(std::string(200'000, 'x')));
  ASSERT_TRUE(job.wait_for_error("rank 1 is ") && job.wait_for_error("rank 0 is "));
  EXPECT_TRUE(far::test::resume_until_end(numbers_after(job.errors(), "rank 1 is ").at(0)));
  EXPECT_TRUE(job.wait_for_output("other\n"));
  EXPECT_TRUE(far::test::resume_until_end(numbers_after(job.errors(), "rank 0 is ").at(0)));
  const outcome result = job.finish();
  const auto lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "other");
  EXPECT_EQ(lines[0] + lines[2], std::string(400'002, 'x'));
}

TEST(LaunchOutput, StandardInputGoesToRankZero) {
  const outcome result =
      run_command(ranks_run("3", "cat", {"--tag-output"}), {{}, "first\nsecond\n", false});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "[0] first\n[0] second\n");
}

TEST(LaunchOutput, AProcessThatKeepsThePipeOpenHoldsNobodyUp) {
  command job(ranks_run("1", "sleep 1000 & echo $!"));
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 0);
  EXPECT_FALSE(far::test::process_exists(std::stoi(result.output)));  // it has been ended
}

TEST(LaunchOutput, WithoutAReaderTheRanksEnd) {
  command job(far_run({"-n", "2", "yes"}));
  ASSERT_TRUE(job.wait_for_output("y\n"));
  job.close_output();
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 128 + SIGPIPE);
  EXPECT_EQ(result.errors, "");
}

TEST(LaunchOutput, AFullDiskIsTold) {
  const outcome result =
      run_command({"sh", "-c", "exec \"$0\" run -n 2 echo text > /dev/full", built("far")});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, "far run: cannot write the ranks' output: No space left on device\n");
}

TEST(LaunchOutput, ASlowReaderHoldsTheRanksBack) {
  // 64 MB that are not read yet: they must stay in the ranks, and not grow the launcher.
  command job(ranks_run("2", "echo ready >&2; head -c 32000000 /dev/zero | tr '\\0' '\\n'"));
  ASSERT_TRUE(job.wait_for_error("ready\nready\n"));
  const outcome result = job.finish();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), 64'000'000u);
}

}  // namespace
