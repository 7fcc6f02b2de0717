#include "far/model/costs_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"

namespace far::model {
namespace {

namespace files = std::filesystem;
using json = nlohmann::ordered_json;

constexpr double longest_ns = 1e9;

/// Reads one file; its errors say where in the file, and what, is wrong.
class reader {
 public:
  explicit reader(const std::string& path) : path_(path) {}

  costs_of_fabrics read(const std::string& text) {
    json whole;
    try {
      whole = json::parse(text);
    } catch (const json::parse_error& error) {
      fail("", fmt::format("no JSON, from byte {} on", error.byte));
    }
    costs_of_fabrics result;
    for (const auto& [key, fabrics] : members("", whole)) {
      if (key != "fabrics") fail(key, "no such key; there is: fabrics");
      for (const auto& [fabric, distances] : members("fabrics", fabrics)) {
        result[fabric] = costs_at_distances("fabrics." + fabric, distances);
      }
    }
    return result;
  }

 private:
  costs_by_distance costs_at_distances(const std::string& place, const json& object) {
    costs_by_distance result;
    for (const auto& [key, value] : members(place, object)) {
      const std::string here = place + "." + key;
      bool known = false;
      for (const distance d : all_distances) {
        if (key != name_of(d)) continue;
        known = true;
        at(result, d) = costs_of_one(here, value);
      }
      if (!known) fail(here, "no such distance; there are: self, same_node, other_node");
    }
    return result;
  }

  measured_costs costs_of_one(const std::string& place, const json& object) {
    measured_costs result;
    std::size_t seen = 0;
    for (const auto& [key, value] : members(place, object)) {
      const std::string here = place + "." + key;
      if (key == "ranks") {
        if (!value.is_number_unsigned() || value < 1 || value > fabric::address::max_ranks) {
          fail(here, fmt::format("{}: want a number of ranks", value.dump()));
        }
        result.ranks = value.get<int>();
      } else {
        const double ns = value.is_number() ? value.get<double>() : -1;
        if (!(ns >= 0 && ns <= longest_ns)) {
          fail(here,
               fmt::format("{}: want nanoseconds, from 0 to {:.0f}", value.dump(), longest_ns));
        }
        if (const auto bulk = bulk_cost_of(key)) {
          result.bulk.of(*bulk) = ns;
        } else {
          result.costs.of(component_of(here, key)) = ns;
          ++seen;
        }
      }
    }
    if (result.ranks == 0) fail(place, "there is no 'ranks'");
    if (seen < components) {
      fail(place, fmt::format("there are {} of the {} components", seen, components));
    }
    return result;
  }

  static std::optional<bulk_cost> bulk_cost_of(const std::string& name) {
    for (std::size_t i = 0; i < bulk_cost_kinds; ++i) {
      if (name == name_of(static_cast<bulk_cost>(i))) return static_cast<bulk_cost>(i);
    }
    return {};
  }
  component component_of(const std::string& place, const std::string& name) const {
    for (std::size_t i = 0; i < components; ++i) {
      const auto what = static_cast<component>(i);
      if (name == name_of(what)) return what;
    }
    fail(place, "no such component");
  }

  [[nodiscard]] nlohmann::detail::iteration_proxy<json::const_iterator> members(
      const std::string& place, const json& value) const {
    if (!value.is_object()) fail(place, "want an object { ... }");
    return value.items();
  }

  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw bad_argument(fmt::format(
        "file of measured costs {}: {}{}{}; correct it, or remove it and run 'far model calibrate'",
        path_, place, place.empty() ? "" : ": ", what));
  }

  const std::string& path_;
};

[[noreturn]] void fail_to(const char* what, const std::string& path, const std::string& why) {
  throw bad_argument(fmt::format(
      "cannot {} the file of measured costs {}: {}; set FAR_MODEL to a file that can be", what,
      path, why));
}

json json_of(const measured_costs& measured) {
  json result{{"ranks", measured.ranks}};
  // Rounded to picoseconds, which no clock resolves.
  const auto rounded = [](double ns) { return std::round(ns * 1000) / 1000; };
  for (std::size_t i = 0; i < components; ++i) {
    const auto what = static_cast<component>(i);
    result[std::string(name_of(what))] = rounded(measured.costs.of(what));
  }
  if (measured.bulk == bulk_costs()) return result;
  for (std::size_t i = 0; i < bulk_cost_kinds; ++i) {
    const auto what = static_cast<bulk_cost>(i);
    result[std::string(name_of(what))] = rounded(measured.bulk.of(what));
  }
  return result;
}

std::string text_of(const costs_of_fabrics& all) {
  json fabrics = json::object();
  for (const auto& [fabric, costs] : all) {
    json& there = fabrics[fabric] = json::object();
    for (const distance d : all_distances) {
      if (at(costs, d)) there[std::string(name_of(d))] = json_of(*at(costs, d));
    }
  }
  return json{{"fabrics", std::move(fabrics)}}.dump(2) + "\n";
}

/// Replaces the file atomically.
void replace(const std::string& path, const std::string& text) {
  std::error_code error;
  const files::path target =
      files::exists(path, error) ? files::canonical(path, error) : files::path(path);
  if (target.has_parent_path()) files::create_directories(target.parent_path(), error);
  if (error) fail_to("write", path, error.message());
  const std::string made = fmt::format("{}.{}", target.string(), getpid());
  std::ofstream file(made, std::ios::binary);
  const bool written = file && (file << text << std::flush);
  const int why = errno;
  file.close();
  if (written) files::rename(made, target, error);
  if (written && !error) return;
  std::error_code ignored;
  files::remove(made, ignored);
  fail_to("write", path, written ? error.message() : std::strerror(why));
}

}  // namespace

std::string costs_file_path() {
  if (const auto path = base::environment_text("FAR_MODEL"); !path.empty()) {
    return std::string(path);
  }
  // The XDG specification says that relative paths are ignored.
  if (const auto cache = base::environment_text("XDG_CACHE_HOME"); cache.starts_with('/')) {
    return fmt::format("{}/far/model.json", cache);
  }
  if (const auto home = base::environment_text("HOME"); !home.empty()) {
    return fmt::format("{}/.cache/far/model.json", home);
  }
  return {};
}

costs_of_fabrics read_costs(const std::string& path) {
  if (path.empty()) return {};
  std::error_code error;
  if (files::is_directory(path, error)) fail_to("read", path, std::strerror(EISDIR));
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    fail_to("read", path, std::strerror(errno));
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return reader(path).read(text);
}

void write_costs(const std::string& path, std::string_view fabric, const costs_by_distance& costs) {
  if (path.empty()) {
    throw bad_argument(
        "there is no place for the file of measured costs: none of the variables FAR_MODEL, "
        "XDG_CACHE_HOME and HOME is set; set FAR_MODEL to a file");
  }
  costs_of_fabrics all = read_costs(path);
  costs_by_distance& known = all[std::string(fabric)];
  for (const distance d : all_distances) {
    if (at(costs, d)) at(known, d) = at(costs, d);
  }
  replace(path, text_of(all));
}

}  // namespace far::model
