// Ranks of different builds refuse to join one job.

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::far_run;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

TEST(LaunchBuilds, RanksOfOneBuildRun) {
  for (const char* const program : {"test-build_a", "test-build_b"}) {
    EXPECT_EQ(run_command(far_run({"-n", "3", built(program)})).status, 0);
  }
}

TEST(LaunchBuilds, RanksOfDifferentBuildsRefuseEachOther) {
  const outcome result = run_command(
      far_run({"-n", "3", "sh", "-c", "case $FAR_JOB in *:1) exec \"$0\";; *) exec \"$1\";; esac",
               built("test-build_a"), built("test-build_b")}));
  EXPECT_EQ(result.status, 1);
  const auto lines = lines_of(result.errors);
  ASSERT_EQ(lines.size(), 1u) << result.errors;
  EXPECT_NE(lines[0].find("is of a different build than the ranks that joined before it"),
            std::string::npos)
      << lines[0];
}

TEST(LaunchBuilds, AnotherLauncherIsRefusedInOneLine) {
  // Changes the hash of the layout, which follows the magic number.
  const outcome result = run_command(
      far_run({"-n", "4", "sh", "-c",
               "printf 8bytes.. | dd of=/proc/self/fd/${FAR_JOB%:*} bs=1 seek=8 conv=notrunc "
               "status=none; exec \"$0\"",
               built("test-build_a")}));
  EXPECT_EQ(result.status, 1);
  const auto lines = lines_of(result.errors);
  ASSERT_EQ(lines.size(), 2u) << result.errors;
  EXPECT_EQ(lines[0].rfind("far: the launcher is of another build of libfar", 0), 0u) << lines[0];
  EXPECT_EQ(lines[1].rfind("far run: rank ", 0), 0u) << lines[1];
}

TEST(LaunchBuilds, AWrongVariableIsTold) {
  for (const char* const value : {"5", "a:b", "5:", ":1", "5:1x", "5:-1", "-1:0"}) {
    const outcome result = run_command({built("test-build_a")}, {{{"FAR_JOB", value}}, "", false});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_EQ(result.errors.rfind("far: FAR_JOB", 0), 0u) << result.errors;
  }
}

TEST(LaunchBuilds, AFileThatIsNoJobIsTold) {
  const outcome result =
      run_command({"sh", "-c", "FAR_JOB=9:0 exec \"$0\" 9< \"$0\"", built("test-build_a")});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
}

}  // namespace
