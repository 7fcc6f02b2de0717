#include "bench/harness/figure.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/table.hpp"
#include "bench/harness/report.hpp"

namespace far::bench {

const curve& figure::named(std::string_view curve_name) const {
  const auto found = std::ranges::find(curves, curve_name, &curve::name);
  if (found == curves.end()) {
    throw std::out_of_range(fmt::format("{} has no curve '{}'", name, curve_name));
  }
  return *found;
}

namespace {

/// 1.2x, 25x, 12000x.
std::string human_multiple(double value) {
  return fmt::format("{:.{}f}x", value, value < 9.95 ? 1 : 0);
}

/// The name of the number in JSON.
const char* key_of(quantity shows) {
  switch (shows) {
    case quantity::bandwidth:
      return "mb_s";
    case quantity::percent:
      return "percent";
    case quantity::multiple:
      return "multiple";
    default:
      return "ns";
  }
}

std::string cell_of(quantity shows, double value) {
  if (shows == quantity::percent) return fmt::format("{:.1f} %", value);
  if (value <= 0) return "-";
  switch (shows) {
    case quantity::rate:
      return human_rate(value);
    case quantity::bandwidth:
      return fmt::format("{:.3g} MB/s", 1000 / value);
    case quantity::multiple:
      return human_multiple(value);
    default:
      return human_time(value);
  }
}

}  // namespace

namespace {

apps::table with_line_per_place(const figure& what) {
  apps::table table;
  table.add_column(what.axis, apps::align::right);
  for (const curve& c : what.curves) table.add_column(c.name, apps::align::right);
  for (std::size_t i = 0; i < what.places.size(); ++i) {
    std::vector<std::string> cells{what.places[i]};
    for (const curve& c : what.curves) cells.push_back(cell_of(what.shows, c.ns[i]));
    table.add_row(std::move(cells));
  }
  return table;
}

apps::table with_line_per_curve(const figure& what) {
  apps::table table;
  table.add_column(what.axis);
  for (const std::string& place : what.places) table.add_column(place, apps::align::right);
  for (const curve& c : what.curves) {
    std::vector<std::string> cells{c.name};
    for (const double value : c.ns) cells.push_back(cell_of(what.shows, value));
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace

std::string table_of(const figure& what) {
  const apps::table table =
      what.line_per_curve ? with_line_per_curve(what) : with_line_per_place(what);
  const std::string note = what.note.empty() ? "" : what.note + "\n";
  return what.title + "\n" + note + "\n" + table.text();
}

std::string table_of(const std::vector<claim>& claims) {
  apps::table table;
  table.add_column("claim");
  table.add_column("here");
  table.add_column("found");
  for (const claim& c : claims) table.add_row({c.text, c.holds ? "holds" : "DIFFERS", c.found});
  return table.text();
}

void append_json(nlohmann::ordered_json& list, std::string_view benchmark, const figure& what) {
  for (const curve& c : what.curves) {
    for (std::size_t i = 0; i < what.places.size(); ++i) {
      const bool is_bandwidth = what.shows == quantity::bandwidth;
      list.push_back(
          {{"name", fmt::format("{}: {}, {} {}", what.name, c.name, what.places[i], what.axis)},
           {key_of(what.shows), is_bandwidth ? 1000 / c.ns[i] : c.ns[i]},
           {"predicted", c.predicted},
           {"benchmark", benchmark}});
    }
  }
}

void append_json(nlohmann::ordered_json& list, std::string_view benchmark,
                 const std::vector<claim>& claims) {
  for (const claim& c : claims) {
    list.push_back(
        {{"claim", c.text}, {"found", c.found}, {"holds", c.holds}, {"benchmark", benchmark}});
  }
}

}  // namespace far::bench
