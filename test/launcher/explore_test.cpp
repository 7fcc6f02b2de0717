// far sim explore: finds an order in which a program fails, and reports it. Fibers are left out
// under ThreadSanitizer, which cannot follow them.

#include <gtest/gtest.h>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

outcome explore(std::vector<std::string> arguments, const std::string& way) {
  std::vector<std::string> line{built("far"), "sim", "explore"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.insert(line.end(), {built("test-order"), way});
  return run_command(line);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Shrinking a failure starts about 600 processes with the first two drivers, and 200 with the
/// last. Each takes a while under AddressSanitizer, which sees the same with all drivers.
std::vector<const char*> drivers() {
#ifdef __SANITIZE_ADDRESS__
  return {"exhaustive"};
#else
  return {"random", "pct", "exhaustive"};
#endif
}

/// Runs the command at the end of a report.
outcome replay(const std::string& report) {
  const std::string before = "To replay it:\n  ";
  const std::size_t at = report.find(before);
  if (at == std::string::npos) return {};
  return run_command({"sh", "-c", report.substr(at + before.size())});
}

TEST(explore_test, a_right_program_passes) {
  for (const char* driver : {"random", "pct"}) {
    const outcome result = explore({"-n", "2", "--seeds", "30", "--driver", driver}, "right");
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_EQ(result.output, "far sim explore: no failure in 30 runs, of seeds 1 to 30\n");
    EXPECT_EQ(result.errors, "");
  }
}

TEST(explore_test, a_wrong_one_is_found_told_and_replayed) {
  for (const char* driver : drivers()) {
    const outcome found = explore({"-n", "2", "--driver", driver}, "wrong");
    EXPECT_EQ(found.status, 1);
    EXPECT_TRUE(contains(found.output, "  far: the flag came before the data: 0\n"))
        << found.output;
    EXPECT_TRUE(contains(found.output, "rank 0 goes on (not yet: put of rank 1 takes place"))
        << found.output;
    const outcome again = replay(found.output);
    EXPECT_EQ(again.status, 1) << found.output;
    EXPECT_EQ(again.errors, "far: the flag came before the data: 0\n");
  }
}

TEST(explore_test, a_process_that_dies_leaves_its_trace) {
  for (const char* driver : drivers()) {
    const outcome found = explore({"-n", "2", "--driver", driver}, "abort");
    EXPECT_EQ(found.status, 1);
    EXPECT_TRUE(contains(found.output, ": signal 6 (Aborted)\n")) << found.output;
    EXPECT_EQ(replay(found.output).status, 134) << found.output;
  }
}

TEST(explore_test, a_livelock_says_what_is_tried) {
  const outcome found = explore({"-n", "2", "--seeds", "1"}, "spin");
  EXPECT_EQ(found.status, 1);
  EXPECT_TRUE(contains(found.output, "far: livelock of 2 simulated ranks")) << found.output;
  EXPECT_TRUE(contains(found.output, "rank 0, context 0 has tried something ")) << found.output;
  EXPECT_TRUE(contains(found.output, "rank 1, context 0 waits for: barrier")) << found.output;
}

TEST(explore_test, a_program_without_end_is_ended) {
  const outcome found = explore({"-n", "2", "--seeds", "1", "--timeout", "1"}, "loop");
  EXPECT_EQ(found.status, 1);
  EXPECT_TRUE(contains(found.output, "it took longer than --timeout allows\n")) << found.output;
}

TEST(explore_test, ranks_may_die_anywhere) {
  const outcome result = explore({"-n", "2", "--seeds", "1", "--kill"}, "right");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_TRUE(result.output.starts_with("far sim explore: no failure in ")) << result.output;
}

TEST(explore_test, wrong_usage_is_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{
      {"--driver", "chance"},
      {"--seeds", "x"},
      {"--depth", "0"},
      {"-n", "0"},
      {"--nonsense"},
      {"--driver", "pct", "--pause"},
      {"--driver", "exhaustive", "--kill"},
  };
  for (const auto& arguments : wrong) {
    const outcome result = explore(arguments, "right");
    EXPECT_EQ(result.status, 2) << arguments.back();
    EXPECT_EQ(far::test::lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_EQ(result.output, "");
  }
  const outcome nothing = run_command({built("far"), "sim", "explore", "/no/program"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_TRUE(contains(nothing.errors, "there is no program '/no/program'")) << nothing.errors;
}

}  // namespace
#endif
