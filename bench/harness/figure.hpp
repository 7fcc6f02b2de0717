#pragma once
// Curves over the same values, as a paper's figure has them: a table, and a picture.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace far::bench {

/// Nanoseconds at each of the figure's places; 0 where there are none.
struct curve {
  std::string name;
  std::vector<double> ns;
  bool predicted = false;  ///< computed from other measurements; drawn dashed
};

struct figure {
  std::string name;                      ///< of its file too: "paper-a-figure-3"
  std::string title;                     ///< "Components, by ranks"
  std::string axis;                      ///< what the places are: "ranks"
  std::vector<std::string> places = {};  ///< "32", "64", ...: words
  std::vector<curve> curves = {};
  bool only_drawn = false;  ///< rows of the report say the same
  std::string note = {};    ///< a line under the title of the table
  bool rates = false;       ///< shown as how often a second, not how long

  /// Errors: std::out_of_range.
  [[nodiscard]] const curve& named(std::string_view curve_name) const;
};

/// What somebody claims, and what was found.
struct claim {
  std::string text;
  std::string found;
  bool holds = false;
};

/// A line per place, a column per curve.
[[nodiscard]] std::string table_of(const figure& what);
[[nodiscard]] std::string table_of(const std::vector<claim>& claims);

/// Adds {name: "figure: curve, place", ns, predicted, benchmark} of each point.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const figure& what);
/// Adds {claim, found, holds, benchmark} of each.
void append_json(nlohmann::ordered_json& list, std::string_view benchmark,
                 const std::vector<claim>& claims);

/// Makes the folder for pictures if need be. Call it before what takes long.
/// Errors: std::system_error for one that cannot be; bad_argument where gnuplot is missing.
void prepare_to_draw(const std::string& folder);

/// Draws NAME.svg in the folder; returns its path.
/// Errors: bad_argument where gnuplot fails.
/// Checked by: PaperA.FiguresAreDrawn
std::string draw(const figure& what, const std::string& folder);

}  // namespace far::bench
