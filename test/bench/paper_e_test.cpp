// far bench paper-e: tables of shared objects on a simulated cluster as points and pictures, and
// the claims about them. Reduced: few rounds, small programs.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/bench/paper_test.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::expect_one_line;
using far::test::outcome;
using far::test::paper_results;
using far::test::paper_results_of;

outcome bench_paper_e(const std::vector<std::string>& arguments) {
  return far::test::quick_paper("paper-e", arguments);
}

TEST(paper_e_bench_test, tables_are_judged) {
  const outcome result = bench_paper_e({"--fabric", "sim", "--profile", "ib-2006", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const paper_results all = paper_results_of(result.output);
  const auto at = [&](const std::string& table, const std::string& curve, int machines) {
    return all.points.at("paper-e-table-" + table + ": " + curve + ", " + std::to_string(machines) +
                         " machines");
  };
  for (const auto& [name, row] : all.rows) {
    EXPECT_NEAR(row.at("ratio").get<double>(), 1, 0.05) << name;  // what the profile was fitted on
  }
  EXPECT_EQ(all.rows.size(), 2u);

  // What the loops are fitted on, and the paper's own numbers.
  EXPECT_NEAR(at("1-locks", "all machines", 1) / (1e9 / 568181), 1, 0.02);
  EXPECT_NEAR(at("1-locks", "paper", 2), 1e9 / 566051, 1);
  EXPECT_NEAR(at("1-bandwidth", "one-sided replies", 1) / 1000, 1, 0.05);
  EXPECT_EQ(at("1-bandwidth", "paper, RDMA-request invalidation", 8), 13.3);
  EXPECT_NEAR(at("1-bandwidth", "updates", 1) / 1200, 1, 0.05);
  EXPECT_NEAR(at("1-bandwidth", "paper, RDMA-diff-array update", 8), 7.7, 1e-6);
  EXPECT_NEAR(at("1-bandwidth", "updates in place", 1) / 1200, 1, 0.05);
  EXPECT_NEAR(at("1-bandwidth", "paper, RDMA-in-place-update", 8), 9.6, 1e-6);
  EXPECT_NE(at("2-water", "updates in place", 8), at("2-water", "updates", 8));
  // A remote machine needs at least two messages for a lock.
  EXPECT_GT(at("1-locks", "another machine", 2), 2 * 17'000);
  for (const int machines : {2, 8}) {
    const double by_messages = at("1-requests", "by messages", machines);
    EXPECT_GT(by_messages, 2 * 16'000);
    EXPECT_LT(at("1-requests", "one-sided replies", machines), by_messages);
    const double fetched = at("2-water", "one-sided replies", machines);
    EXPECT_LT(fetched, at("2-water", "by messages", machines));
    EXPECT_LT(at("2-water", "automatic", machines), fetched);
  }
  EXPECT_LT(at("1-bandwidth", "one-sided replies", 8), at("1-bandwidth", "one-sided replies", 2));
  EXPECT_TRUE(all.holds.at("libfar: Water's energies are the same in all jobs, to 1e-9"));
  EXPECT_TRUE(all.holds.at("libfar: LU's determinant is the same in all jobs, in every bit"));
}

TEST(paper_e_bench_test, tables_are_drawn) {
  const std::string folder = testing::TempDir() + "paper_e";
  std::filesystem::remove_all(folder);
  const outcome result = bench_paper_e({"--ranks", "2", "--plots", folder});
  if (far::test::run_command({"sh", "-c", "command -v gnuplot"}).status != 0) {
    EXPECT_EQ(result.status, 1);
    return;
  }
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* table :
       {"1-locks", "1-barriers", "1-requests", "1-bandwidth", "1-gaps-2", "2-water", "2-lu"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + "/paper-e-table-" + table + ".svg")) << table;
  }
}

TEST(paper_e_bench_test, wrong_settings_are_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{
      {"--fabric", "shm"}, {"--profile", "no-such-machine"}, {"--ranks", "1"}, {"--ranks", "2,x"}};
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(arguments[1]);
    expect_one_line(bench_paper_e(arguments));
  }
}

}  // namespace

#endif
