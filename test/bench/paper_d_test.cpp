// far bench paper-d: figures of transfers on a simulated machine as points and pictures, and the
// claims about them. Reduced: few sizes, few processes.

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
  std::vector<std::string> line{built("far"), "bench", "paper-d", "--quick"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line);
}

struct results {
  std::map<std::string, double> points;
  std::map<std::string, bool> holds;
  std::map<std::string, nlohmann::json> rows;

  [[nodiscard]] double at(const std::string& figure, const std::string& curve,
                          const std::string& place) const {
    return points.at("paper-d-figure-" + figure + ": " + curve + ", " + place);
  }
};

results results_of(const std::string& output) {
  results all;
  for (const auto& row : nlohmann::json::parse(output)) {
    if (row.contains("claim")) {
      all.holds[row["claim"]] = row["holds"];
    } else if (row.contains("limit_ns")) {
      all.rows[row["name"]] = row;
    } else {
      const char* unit = row.contains("mb_s") ? "mb_s" : row.contains("percent") ? "percent" : "ns";
      all.points[row["name"]] = row.at(unit);
    }
  }
  return all;
}

TEST(paper_d_bench_test, transfers_are_judged_by_the_figures) {
  const outcome result =
      bench({"--fabric", "sim", "--profile", "ib-2004-ia32", "--ranks", "2,4", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const results all = results_of(result.output);
  // Figures 2 (2 sizes), 3 and 4, 5 and 6, 7a and b, 9 and 10, 11a to c.
  EXPECT_EQ(all.points.size(), 2u * 2 + 3u * (3 + 2 + 3 + 3 + 2 + 2 + 5 + 4) + 3u * 2 * 3);

  for (const auto& [name, row] : all.rows) {
    EXPECT_NEAR(row.at("ratio").get<double>(), 1, 0.1) << name;  // what the profile was fitted on
  }
  EXPECT_EQ(all.rows.size(), 5u);
  const std::string large = "1048576 bytes";
  const std::string square = "1048352 bytes";  // of 362 x 362 doubles
  EXPECT_NEAR(all.at("3", "far::put", large), 830, 20);
  EXPECT_NEAR(all.at("4", "far::get", large), 765, 20);
  EXPECT_GT(all.at("5", "pipelined", large), 1.2 * all.at("5", "buffered", large));
  EXPECT_GT(all.at("5", "buffered", large), 1.5 * all.at("6", "buffered", large));
  EXPECT_GE(all.at("7a", "zero-copy", large), 99);
  EXPECT_GE(all.at("7b", "host-assisted", square), 95);
  EXPECT_LT(all.at("7b", "buffered", square), all.at("7b", "host-assisted", square) - 10);
  EXPECT_EQ(all.holds.at("Figure 7a: zero-copy gets are hidden up to 99 %, at 1 MB"),
            all.at("7a", "zero-copy", large) >= 99);
  EXPECT_TRUE(all.holds.at(
      "Figure 10: host-assisted gets of 1 MB are not affected by a target that computes"));
  for (const char* number : {"11a", "11b"}) {
    EXPECT_LT(all.at(number, "zero-copy", "4 processes"),
              all.at(number, "zero-copy", "2 processes"));
    EXPECT_LE(all.at(number, "zero-copy", "4 processes"),
              all.at(number, "message passing", "4 processes"));
  }
}

TEST(paper_d_bench_test, figures_are_drawn) {
  const std::string folder = testing::TempDir() + "paper_d";
  std::filesystem::remove_all(folder);
  const outcome result = bench({"--plots", folder});
  if (run_command({"sh", "-c", "command -v gnuplot"}).status != 0) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.errors.find("Debian: gnuplot-nox"), std::string::npos) << result.errors;
    return;
  }
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* number : {"2", "3", "4", "5", "6", "7a", "7b", "9", "10", "12a", "12b"}) {
    const std::string path = folder + "/paper-d-figure-" + number + ".svg";
    EXPECT_NE(result.output.find("Drawn: " + path), std::string::npos) << result.output;
    std::ifstream file(path);
    const std::string picture(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(picture.find("</svg>"), std::string::npos) << path;
    EXPECT_NE(picture.find(std::string("Figure ") + number + ":"), std::string::npos) << path;
  }
}

TEST(paper_d_bench_test, wrong_settings_are_told_in_one_line) {
  const std::vector<std::vector<std::string>> wrong{
      {"--fabric", "shm"},         {"--profile", "no-such-machine"},
      {"--profile", "cori-aries"}, {"--ranks", "3"},
      {"--ranks", "1024"},         {"--ranks", "2,x"}};
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
