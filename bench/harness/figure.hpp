#pragma once
// Curves over the same values, like a figure of a paper: shown as a table, or drawn.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace far::bench {

/// What the numbers of a figure are.
enum class quantity : std::uint8_t {
  time,
  rate,       ///< the numbers are times, shown as rates per second
  bandwidth,  ///< the numbers are times of one byte, shown as MB/s
  percent,    ///< the numbers are percents
  multiple,   ///< the numbers are how many times as long as something
};

/// Nanoseconds (or percents, or multiples) at each of the figure's places; 0 if there is no value.
struct curve {
  std::string name;
  std::vector<double> ns;
  bool predicted = false;  ///< computed from other measurements; drawn dashed
};

struct figure {
  std::string name;                      ///< also of its file: "paper-a-figure-3"
  std::string title;                     ///< "Components, by ranks"
  std::string axis;                      ///< the unit of the places: "ranks"
  std::vector<std::string> places = {};  ///< "32", "64", ...: one word each
  std::vector<curve> curves = {};
  bool only_drawn = false;  ///< not shown as a table: rows of the report have the same values
  std::string note = {};    ///< a line under the title of the table
  quantity shows = quantity::time;
  bool line_per_curve = false;  ///< the table has a line per curve, because there are many

  /// Errors: std::out_of_range.
  [[nodiscard]] const curve& named(std::string_view curve_name) const;
};

/// A claim, such as of a paper, and what was found.
struct claim {
  std::string text;
  std::string found;
  bool holds = false;
};

/// A table with a line per place and a column per curve, or the other way round.
[[nodiscard]] std::string table_of(const figure& what);
[[nodiscard]] std::string table_of(const std::vector<claim>& claims);

/// Adds {name: "figure: curve, place", ns, predicted, benchmark} for each point; instead of ns
/// mb_s, percent or multiple, if the figure shows that.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const figure& what);
/// Adds {claim, found, holds, benchmark} for each claim.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark,
                 const std::vector<claim>& claims);

/// Creates the folder for pictures if it is missing. Call it before long measurements.
/// Errors: std::system_error if the folder cannot be created; bad_argument if gnuplot is missing.
void prepare_to_draw(const std::string& folder);

/// Draws NAME.svg in the folder; returns its path.
/// Errors: bad_argument if gnuplot fails.
/// Checked by: PaperA.FiguresAreDrawn
std::string draw(const figure& what, const std::string& folder);

}  // namespace far::bench
