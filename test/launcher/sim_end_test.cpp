// How a simulated job ends badly: a crash, an exit in its middle, a full stack. The sanitizers have
// reports of their own, and ThreadSanitizer cannot follow fibers.

#include <csignal>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

outcome far_sim(std::vector<std::string> arguments,
                const std::vector<std::pair<std::string, std::string>>& variables = {}) {
  std::vector<std::string> line{built("far"), "sim", "-n", "3"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line, {variables, "", false});
}

void expect_match(const std::string& text, const std::string& pattern) {
  EXPECT_TRUE(std::regex_search(text, std::regex(pattern))) << pattern << "\nin\n" << text;
}

TEST(sim_end_test, a_crash_names_rank_signal_and_stack) {
  for (const char* profile : {"", "cori-aries"}) {
    std::vector<std::string> line{built("test-crash"), "segv"};
    if (*profile != '\0') line.insert(line.begin(), {"--profile", profile});
    const outcome result = far_sim(line);
    EXPECT_EQ(result.status, 128 + SIGSEGV);
    expect_match(result.errors,
                 "far: rank 1 \\(pid [0-9]+\\) crashed: signal 11 \\(Segmentation fault\\) at "
                 "address 0x0\n");
    expect_match(result.errors, "far:   #[0-9]+ +crash_site::write_to");
  }
}

TEST(sim_end_test, a_full_stack_is_told) {
  const outcome usual = far_sim({built("test-crash"), "stack"});
  EXPECT_EQ(usual.status, 128 + SIGSEGV);
  expect_match(usual.errors,
               "far: the rank's simulated stack of 256 KB is full: raise FAR_SIM_STACK\n");
  const outcome larger = far_sim({built("test-crash"), "stack"}, {{"FAR_SIM_STACK", "1M"}});
  expect_match(larger.errors, "simulated stack of 1024 KB is full");
}

TEST(sim_end_test, wrong_sizes_of_stacks_are_told_in_one_line) {
  for (const char* value : {"63K", "2G", "much", "-1"}) {
    const outcome result = far_sim({built("test-act"), "return"}, {{"FAR_SIM_STACK", value}});
    EXPECT_EQ(result.status, 1) << value;
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_EQ(result.errors.rfind("far: FAR_SIM_STACK", 0), 0u) << result.errors;
  }
}

TEST(sim_end_test, an_exit_in_the_middle_is_a_failure) {
  const outcome zero = far_sim({built("test-act"), "exit", "1", "0"});
  EXPECT_EQ(zero.status, 1);
  expect_match(zero.errors, "far: rank 1 left the job before its end: it called exit\\(0\\)\n");
  const outcome three = far_sim({built("test-act"), "exit", "2", "3"});
  EXPECT_EQ(three.status, 3);
  expect_match(three.errors, "far: rank 2 left the job before its end: it called exit\\(3\\)\n");
  const outcome by_hand =
      run_command({built("test-act"), "exit", "0", "0"}, {{{"FAR_SIM_RANKS", "2"}}, "", false});
  EXPECT_EQ(by_hand.status, 1);
  const outcome job = far_sim({built("test-act"), "exit-job", "1", "0"});
  EXPECT_EQ(job.status, 0) << job.errors;
}

}  // namespace
#endif
