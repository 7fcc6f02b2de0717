// The report of a rank that crashes. The sanitizers have their own reports.

#include <signal.h>

#include <regex>

#include <gtest/gtest.h>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::far_run;
using far::test::outcome;
using far::test::run_command;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

TEST(CrashReport, IsLeftToTheSanitizer) {
  const outcome result = run_command(far_run({"-n", "2", built("test-crash"), "segv"}));
  EXPECT_NE(result.status, 0);
  // Which sanitizer reports first depends on the build.
  const bool told = result.errors.find("Sanitizer") != std::string::npos ||
                    result.errors.find("runtime error") != std::string::npos;
  EXPECT_TRUE(told) << result.errors;
}

#else

struct kind {
  const char* name;
  int signal;
  const char* headline;
  const char* function;  ///< in the stack; null: no function is certain to be there
};

class CrashReport : public testing::TestWithParam<kind> {};

void expect_match(const std::string& text, const std::string& pattern) {
  EXPECT_TRUE(std::regex_search(text, std::regex(pattern))) << pattern << "\nin\n" << text;
}

TEST_P(CrashReport, NamesRankSignalAndStack) {
  const kind& crash = GetParam();
  const outcome result = run_command(far_run({"-n", "2", built("test-crash"), crash.name}));
  EXPECT_EQ(result.status, 128 + crash.signal);
  expect_match(result.errors,
               std::string("far: rank 1 \\(pid [0-9]+\\) crashed: ") + crash.headline);
  if (crash.function != nullptr) {
    expect_match(result.errors, std::string("far:   #[0-9]+ +crash_site::") + crash.function +
                                    ".* \\([^ ]*test-crash\\+0x[0-9a-f]+\\)\n");
  }
  expect_match(result.errors,
               "far run: rank 1 \\(pid [0-9]+\\) died from signal [^\n]*; ended the other rank\n$");
}

INSTANTIATE_TEST_SUITE_P(
    Each, CrashReport,
    testing::Values(
        kind{"segv", SIGSEGV, "signal 11 \\(Segmentation fault\\) at address 0x0\n",
             "write_to\\(int volatile\\*\\)"},
        kind{"abort", SIGABRT, "signal 6 \\(Aborted\\)\n", "thing::crash\\(far::world&"},
        kind{"divide", SIGFPE, "signal 8 \\([^)]*\\) at address 0x[0-9a-f]+\n",
             "divide_by\\(int volatile\\*\\)"},
        kind{"illegal", SIGILL, "signal 4 \\(Illegal instruction\\) at address 0x[0-9a-f]+\n",
             "thing::crash\\(far::world&"},
        kind{"stack", SIGSEGV, "signal 11 \\(Segmentation fault\\) at address 0x[0-9a-f]+\n",
             "overflow\\(char volatile\\*\\)"},
        kind{"bus", SIGBUS, "signal 7 \\(Bus error\\) at address 0x[0-9a-f]+\nfar:   #0",
             "touch_nothing\\(far::world&\\)"},
        kind{"memory", SIGBUS,
             "signal 7 \\(Bus error\\) at address 0x[0-9a-f]+\n"
             "far: the machine's memory is exhausted",
             "exhaust_memory\\(far::world&\\)"},
        kind{"heap", SIGSEGV, "signal 11 \\(Segmentation fault\\) at address 0x0\n", nullptr}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CrashReportOfThreads, NamesTheRank) {
  const outcome result =
      run_command(far_run({"-n", "3", "--threads", built("test-crash"), "segv"}));
  EXPECT_EQ(result.status, 128 + SIGSEGV);
  expect_match(result.errors, "far: rank 1 \\(pid [0-9]+\\) crashed: signal 11");
  expect_match(result.errors,
               "far run: the process of 3 ranks \\(pid [0-9]+\\) died from signal 11");
}

TEST(CrashReportOfOneself, IsNotMadeWithoutALauncher) {
  const outcome result = run_command({"sh", "-c", "\"$0\" raise 0 11", built("test-act")});
  EXPECT_EQ(result.status, 128 + SIGSEGV);
  EXPECT_EQ(result.errors.find("far: rank"), std::string::npos);
}

#endif

}  // namespace
