// far bench paper-c: figures of arrays on a simulated machine as points and pictures, and the
// claims about them. Reduced: few nodes, small arrays.

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

outcome bench_paper_c(const std::vector<std::string>& arguments) {
  return far::test::quick_paper("paper-c", arguments);
}

TEST(paper_c_bench_test, claims_and_goals_are_judged_by_the_figures) {
  const outcome result =
      bench_paper_c({"--fabric", "sim", "--profile", "cx4-100g", "--ranks", "1,2,3", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const paper_results all = paper_results_of(result.output);
  const auto at = [&](const std::string& figure, const std::string& curve, int place,
                      const std::string& axis) {
    return all.points.at("paper-c-figure-" + figure + ": " + curve + ", " + std::to_string(place) +
                         " " + axis);
  };
  // Figures 1, 12, 13, 14, 15, 16, 18, and 17.
  EXPECT_EQ(all.points.size(), 2u * 4 + 2u * 7 + 3u * (7 + 4 + 3 + 12 + 10) + 3u * (3 + 2) * 4);
  EXPECT_EQ(all.holds.size(), 38u);
  EXPECT_EQ(all.rows.size(), 12u);

  // Alone, a rank pays what the profile says.
  EXPECT_NEAR(at("1", "cached_array", 1, "nodes"), 3, 0.1);
  EXPECT_NEAR(at("1", "cached_array, pinned", 1, "nodes"), 0.8, 0.1);
  EXPECT_NEAR(at("1", "cached_array, the paper's path", 1, "nodes"), 14, 0.1);
  // Elements of others are dear where nothing is cached.
  EXPECT_GT(at("1", "far::array", 3, "nodes"), 1000);
  EXPECT_GT(at("14b", "lock, get, put", 2, "nodes"), 1000);
  for (const char* letter : {"a", "b", "c"}) {
    const std::string by_nodes = std::string("13") + letter;
    EXPECT_LT(at(by_nodes, "cached_array", 3, "nodes"), at(by_nodes, "far::array", 3, "nodes"));
    EXPECT_LT(at(std::string("12") + letter, "cached_array", 2, "threads a node"),
              at(std::string("12") + letter, "cached_array", 1, "threads a node"));
  }
  EXPECT_TRUE(all.holds.at("Figure 1: on 3 nodes a cache makes reads in order faster"));
  for (const char* letter : {"16a", "16b", "16c", "16d"}) {
    // Alone, no vertex is a ghost. Else misses take time.
    EXPECT_NEAR(at(letter, "exchange", 1, "nodes"), at(letter, "array, chunks of 8192", 1, "nodes"),
                0.2 * at(letter, "exchange", 1, "nodes"));
    EXPECT_LT(at(letter, "exchange", 3, "nodes"), at(letter, "array, chunks of 512", 3, "nodes"));
  }
  EXPECT_LT(at("16b", "exchange", 1, "nodes"), at("16a", "exchange", 1, "nodes"));
  for (const char* letter : {"17a", "17b", "17c"}) {
    const char* const locks = "cached arrays, element locks";
    EXPECT_LT(at(letter, "far::store, no copies", 3, "nodes"), at(letter, locks, 3, "nodes"));
    EXPECT_LT(at(letter, "calls", 3, "nodes"), at(letter, locks, 3, "nodes"));
  }
  const double growth =
      at("14b", "cached_array", 3, "nodes") / at("14b", "cached_array", 2, "nodes");
  EXPECT_EQ(all.holds.at("Figure 14b: the latency of apply remains the same from 2 nodes on"),
            growth < 1.2);
  const nlohmann::json& updates = all.rows.at("apply, Zipf, 3 nodes");
  EXPECT_DOUBLE_EQ(updates["ratio"], growth);
  EXPECT_EQ(updates["goals"][0]["met"], growth <= 1.2);
}

TEST(paper_c_bench_test, figures_are_drawn) {
  const std::string folder = testing::TempDir() + "paper_c";
  std::filesystem::remove_all(folder);
  expect_drawn(bench_paper_c({"--ranks", "2", "--plots", folder}), "paper-c", folder,
               {"1",   "12a", "12b", "12c", "13a", "13b", "13c", "14a", "14b", "15",  "16a", "16b",
                "16c", "16d", "17a", "17b", "17c", "17d", "17e", "17f", "18a", "18b", "18c"});
}

TEST(paper_c_bench_test, wrong_settings_are_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{{"--fabric", "shm"},
                                                    {"--profile", "no-such-machine"},
                                                    {"--profile", "cori-aries"},
                                                    {"--ranks", "0"},
                                                    {"--ranks", "2,x"}};
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(arguments[1]);
    expect_one_line(bench_paper_c(arguments));
  }
}

}  // namespace

#endif
