// far bench paper-c: figures of arrays on a simulated machine as points and pictures, and the
// claims about them. Reduced: few nodes, small arrays.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "far/fabric/copy.hpp"
#include "test/support/command.hpp"

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

outcome bench(const std::vector<std::string>& arguments) {
  std::vector<std::string> line{built("far"), "bench", "paper-c", "--quick"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line);
}

struct results {
  std::map<std::string, double> ns;  ///< of points
  std::map<std::string, bool> holds;
  std::map<std::string, nlohmann::json> rows;
};

results results_of(const std::string& output) {
  results all;
  for (const auto& row : nlohmann::json::parse(output)) {
    if (row.contains("claim")) {
      all.holds[row["claim"]] = row["holds"];
    } else if (row.contains("limit_ns")) {
      all.rows[row["name"]] = row;
    } else {
      all.ns[row["name"]] = row["ns"];
    }
  }
  return all;
}

TEST(paper_c_bench_test, claims_and_goals_are_judged_by_the_figures) {
  const outcome result =
      bench({"--fabric", "sim", "--profile", "cx4-100g", "--ranks", "1,2,3", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const results all = results_of(result.output);
  const auto at = [&](const std::string& figure, const std::string& curve, int place,
                      const std::string& axis) {
    return all.ns.at("paper-c-figure-" + figure + ": " + curve + ", " + std::to_string(place) +
                     " " + axis);
  };
  // Figures 1, 12, 13, 14, 15, 18.
  EXPECT_EQ(all.ns.size(), 2u * 4 + 2u * 7 + 3u * (7 + 4 + 3 + 10));
  EXPECT_EQ(all.holds.size(), 26u);
  EXPECT_EQ(all.rows.size(), 12u);

  // Alone, a rank pays what the profile says.
  EXPECT_NEAR(at("1", "cached_array", 1, "nodes"), 3, 0.1);
  EXPECT_NEAR(at("1", "cached_array, pinned", 1, "nodes"), 0.8, 0.1);
  EXPECT_NEAR(at("1", "cached_array, the paper's path", 1, "nodes"), 14, 0.1);
  // Elements of others are dear where nothing is cached.
  EXPECT_GT(at("1", "far::array", 3, "nodes"), 1000);
  EXPECT_GT(at("14b", "lock, get, set", 2, "nodes"), 1000);
  for (const char* letter : {"a", "b", "c"}) {
    const std::string by_nodes = std::string("13") + letter;
    EXPECT_LT(at(by_nodes, "cached_array", 3, "nodes"), at(by_nodes, "far::array", 3, "nodes"));
    EXPECT_LT(at(std::string("12") + letter, "cached_array", 2, "threads a node"),
              at(std::string("12") + letter, "cached_array", 1, "threads a node"));
  }
  EXPECT_TRUE(all.holds.at("Figure 1: on 3 nodes a cache makes reads in order faster"));
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
  const outcome result = bench({"--ranks", "2", "--plots", folder});
  if (run_command({"sh", "-c", "command -v gnuplot"}).status != 0) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.errors.find("Debian: gnuplot-nox"), std::string::npos) << result.errors;
    return;
  }
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* number :
       {"1", "12a", "12b", "12c", "13a", "13b", "13c", "14a", "14b", "15", "18a", "18b", "18c"}) {
    const std::string path = folder + "/paper-c-figure-" + number + ".svg";
    EXPECT_NE(result.output.find("Drawn: " + path), std::string::npos) << result.output;
    std::ifstream file(path);
    const std::string picture(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(picture.find("</svg>"), std::string::npos) << path;
    EXPECT_NE(picture.find(std::string("Figure ") + number + ":"), std::string::npos) << path;
  }
}

TEST(paper_c_bench_test, wrong_settings_are_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{{"--fabric", "shm"},
                                                    {"--profile", "no-such-machine"},
                                                    {"--profile", "cori-aries"},
                                                    {"--ranks", "0"},
                                                    {"--ranks", "2,x"}};
  for (const auto& arguments : wrong) {
    const outcome result = bench(arguments);
    EXPECT_NE(result.status, 0) << arguments[1];
    int lines = 0;  // without warnings about the figures
    for (const std::string& text : lines_of(result.errors)) {
      if (text.find("debug checks") == text.npos && text.find("Other programs") == text.npos) {
        ++lines;
      }
    }
    EXPECT_EQ(lines, 1) << result.errors;
  }
}

}  // namespace

#endif
