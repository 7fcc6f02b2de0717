// far bench paper-d: figures of transfers on a simulated machine as points and pictures, and the
// claims about them. Reduced: few sizes, few processes.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/bench/paper_test.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::expect_drawn;
using far::test::expect_one_line;
using far::test::outcome;
using far::test::paper_results;
using far::test::paper_results_of;

outcome bench_paper_d(const std::vector<std::string>& arguments) {
  return far::test::quick_paper("paper-d", arguments);
}

TEST(paper_d_bench_test, transfers_are_judged_by_the_figures) {
  const outcome result =
      bench_paper_d({"--fabric", "sim", "--profile", "ib-2004-ia32", "--ranks", "2,4", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const paper_results all = paper_results_of(result.output);
  const auto at = [&](const std::string& figure, const std::string& curve,
                      const std::string& place) {
    return all.points.at("paper-d-figure-" + figure + ": " + curve + ", " + place);
  };
  // Figures 2 (2 sizes), 3 and 4, 5 and 6, 7a and b, 9 and 10, 11a to c.
  EXPECT_EQ(all.points.size(), 2u * 2 + 3u * (3 + 2 + 3 + 3 + 2 + 2 + 5 + 4) + 3u * 2 * 3);

  for (const auto& [name, row] : all.rows) {
    EXPECT_NEAR(row.at("ratio").get<double>(), 1, 0.1) << name;  // what the profile was fitted on
  }
  EXPECT_EQ(all.rows.size(), 5u);
  const std::string large = "1048576 bytes";
  const std::string square = "1048352 bytes";  // of 362 x 362 doubles
  EXPECT_NEAR(at("3", "far::put", large), 830, 20);
  EXPECT_NEAR(at("4", "far::get", large), 765, 20);
  EXPECT_GT(at("5", "pipelined", large), 1.2 * at("5", "buffered", large));
  EXPECT_GT(at("5", "buffered", large), 1.5 * at("6", "buffered", large));
  EXPECT_GE(at("7a", "zero-copy", large), 99);
  EXPECT_GE(at("7b", "host-assisted", square), 95);
  EXPECT_LT(at("7b", "buffered", square), at("7b", "host-assisted", square) - 10);
  EXPECT_EQ(all.holds.at("Figure 7a: zero-copy gets are hidden up to 99 %, at 1 MB"),
            at("7a", "zero-copy", large) >= 99);
  EXPECT_TRUE(all.holds.at(
      "Figure 10: host-assisted gets of 1 MB are not affected by a target that computes"));
  for (const char* number : {"11a", "11b"}) {
    EXPECT_LT(at(number, "zero-copy", "4 processes"), at(number, "zero-copy", "2 processes"));
    EXPECT_LE(at(number, "zero-copy", "4 processes"), at(number, "message passing", "4 processes"));
  }
}

TEST(paper_d_bench_test, figures_are_drawn) {
  const std::string folder = testing::TempDir() + "paper_d";
  std::filesystem::remove_all(folder);
  expect_drawn(bench_paper_d({"--plots", folder}), "paper-d", folder,
               {"2", "3", "4", "5", "6", "7a", "7b", "9", "10", "12a", "12b"});
}

TEST(paper_d_bench_test, wrong_settings_are_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{
      {"--fabric", "shm"},         {"--profile", "no-such-machine"},
      {"--profile", "cori-aries"}, {"--ranks", "3"},
      {"--ranks", "1024"},         {"--ranks", "2,x"}};
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(arguments[1]);
    expect_one_line(bench_paper_d(arguments));
  }
}

}  // namespace

#endif
