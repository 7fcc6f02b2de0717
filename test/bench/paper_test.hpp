#pragma once
// What the tests of the benchmarks of papers look at: points, claims, pictures and error messages.

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace far::test {

/// far bench ARGUMENTS...
inline outcome far_bench(const std::vector<std::string>& arguments) {
  std::vector<std::string> line{built("far"), "bench"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_command(line);
}

/// far bench PAPER --quick ARGUMENTS...
inline outcome quick_paper(const std::string& paper, const std::vector<std::string>& arguments) {
  std::vector<std::string> line{paper, "--quick"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return far_bench(line);
}

/// What a benchmark prints as JSON.
struct paper_results {
  std::map<std::string, double> points;  ///< of figures, in the unit that they show
  std::map<std::string, bool> holds;     ///< claims
  std::map<std::string, nlohmann::json> rows;
};

inline paper_results paper_results_of(const std::string& output) {
  paper_results all;
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

/// `result` of `far bench PAPER --plots FOLDER`: the figures of these numbers are drawn, or gnuplot
/// is missing.
inline void expect_drawn(const outcome& result, const std::string& paper, const std::string& folder,
                         std::initializer_list<const char*> numbers) {
  if (run_command({"sh", "-c", "command -v gnuplot"}).status != 0) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.errors.find("Debian: gnuplot-nox"), std::string::npos) << result.errors;
    return;
  }
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const std::string number : numbers) {
    const std::string path = folder + "/" + paper + "-figure-" + number + ".svg";
    EXPECT_NE(result.output.find("Drawn: " + path), std::string::npos) << result.output;
    std::ifstream file(path);
    const std::string picture(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(picture.find("</svg>"), std::string::npos) << path;
    EXPECT_NE(picture.find("Figure " + number + ":"), std::string::npos) << path;
  }
}

/// `result` of a wrong call: one line, besides warnings about the figures.
inline void expect_one_line(const outcome& result) {
  EXPECT_NE(result.status, 0);
  int lines = 0;
  for (const std::string& text : lines_of(result.errors)) {
    if (text.find("debug checks") == text.npos && text.find("Other programs") == text.npos) ++lines;
  }
  EXPECT_EQ(lines, 1) << result.errors;
}

}  // namespace far::test
