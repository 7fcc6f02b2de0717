// Draws figures by gnuplot.

#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "bench/harness/figure.hpp"
#include "bench/harness/program.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

/// A single-quoted gnuplot string: only the quote is special, and is doubled.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += c;
    result += c;
  }
  return result + "'";
}

const char* unit_of(quantity shows) {
  switch (shows) {
    case quantity::time:
      return "us";
    case quantity::rate:
      return "million/s";
    case quantity::bandwidth:
      return "MB/s";
    case quantity::percent:
      return "percent";
    case quantity::multiple:
      return "times";
  }
  return "";
}

/// In that unit.
double drawn(quantity shows, double value) {
  switch (shows) {
    case quantity::time:
      return value / 1000;
    case quantity::rate:
    case quantity::bandwidth:
      return 1000 / value;
    case quantity::percent:
    case quantity::multiple:
      break;
  }
  return value;
}

/// The script: places at equal distances; a logarithmic axis, except of percents. A predicted curve
/// has the colour of the measured curve before it.
std::string script_of(const figure& what, const std::string& path) {
  std::string text = fmt::format(
      "set terminal svg size 900,560 noenhanced background 'white'\n"
      "set output {}\nset title {}\nset xlabel {}\nset ylabel '{}'\n"
      "{}set datafile missing '?'\nset grid\nset key outside right\n$points << "
      "END_OF_POINTS\n",
      in_quotes(path), in_quotes(what.title), in_quotes(what.axis), unit_of(what.shows),
      what.shows == quantity::percent ? "" : "set logscale y 2\n");
  for (std::size_t i = 0; i < what.places.size(); ++i) {
    text += what.places[i];  // one word
    for (const curve& c : what.curves) {
      // A question mark marks a missing point.
      const bool is_missing = c.ns[i] <= 0 && what.shows != quantity::percent;
      text += is_missing ? " ?" : fmt::format(" {:.6g}", drawn(what.shows, c.ns[i]));
    }
    text += "\n";
  }
  text += "END_OF_POINTS\nplot ";
  int colour = 0;
  for (std::size_t i = 0; i < what.curves.size(); ++i) {
    const curve& c = what.curves[i];
    if (!c.predicted) ++colour;
    text += fmt::format("{}$points using 0:{}:xtic(1) with linespoints lc {} dt {} pt {} title {}",
                        i == 0 ? "" : ", ", i + 2, colour, c.predicted ? 2 : 1, c.predicted ? 0 : 7,
                        in_quotes(c.name));
  }
  return text + "\n";
}

}  // namespace

void prepare_to_draw(const std::string& folder) {
  if (!in_path("gnuplot")) {
    throw bad_argument("pictures need gnuplot, which is not installed (Debian: gnuplot-nox)");
  }
  std::filesystem::create_directories(folder);
}

std::string draw(const figure& what, const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / (what.name + ".svg")).string();
  temporary_file script;
  script.write(script_of(what, path));
  const outcome result = run_program({"gnuplot", script.path()}, 60);
  if (result.status != 0) {
    throw bad_argument(fmt::format("{} cannot be drawn: gnuplot: {}", path, result.complaint()));
  }
  return path;
}

}  // namespace far::bench
