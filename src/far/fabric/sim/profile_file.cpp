// Profiles as files: JSON, times in nanoseconds, names of values as in profile.hpp.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "far/base/error.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/message.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {
namespace {

using json = nlohmann::ordered_json;

template <class Object>
struct field {
  const char* name;
  picoseconds Object::*place;
};

constexpr field<start_costs> start_fields[] = {{"put", &start_costs::put},
                                               {"get", &start_costs::get},
                                               {"amo", &start_costs::amo},
                                               {"send", &start_costs::send}};

constexpr field<link_costs> link_fields[] = {{"latency", &link_costs::latency},
                                             {"kilobyte", &link_costs::kilobyte}};

constexpr field<profile> cost_fields[] = {{"completion", &profile::completion},
                                          {"poll", &profile::poll},
                                          {"line_transfer", &profile::line_transfer},
                                          {"line_gap", &profile::line_gap},
                                          {"payload", &profile::payload},
                                          {"copy", &profile::copy},
                                          {"spilled_kilobyte", &profile::spilled_kilobyte},
                                          {"batch_key", &profile::batch_key},
                                          {"first_key", &profile::first_key},
                                          {"array_hit", &profile::array_hit},
                                          {"array_pinned", &profile::array_pinned},
                                          {"array_apply", &profile::array_apply},
                                          {"gap", &profile::gap},
                                          {"put_service", &profile::put_service},
                                          {"get_service", &profile::get_service},
                                          {"get_gap", &profile::get_gap},
                                          {"get_kilobyte", &profile::get_kilobyte},
                                          {"swap_service", &profile::swap_service},
                                          {"amo_service", &profile::amo_service},
                                          {"amo_gap", &profile::amo_gap},
                                          {"same_word_gap", &profile::same_word_gap},
                                          {"handler", &profile::handler},
                                          {"answer", &profile::answer},
                                          {"handoff", &profile::handoff},
                                          {"service_tax", &profile::service_tax},
                                          {"helper_atomic", &profile::helper_atomic},
                                          {"descriptor", &profile::descriptor},
                                          {"descriptor_segment", &profile::descriptor_segment},
                                          {"registration", &profile::registration},
                                          {"registered_kilobyte", &profile::registered_kilobyte},
                                          {"copied_kilobyte", &profile::copied_kilobyte},
                                          {"copied_row", &profile::copied_row}};

constexpr field<profile> rest_fields[] = {
    {"spin", &profile::spin}, {"yield", &profile::yield}, {"oversleep", &profile::oversleep}};

/// Values that are no times.
struct number {
  const char* name;
  int profile::*place;
  int min;
  int max;
};
constexpr number numbers[] = {
    {"ranks_per_node", &profile::ranks_per_node, 1, address::max_ranks},
    {"nodes_per_group", &profile::nodes_per_group, 1, address::max_ranks},
    {"helper_share", &profile::helper_share, 1, 1000},
    {"descriptor_segments", &profile::descriptor_segments, 0, int{max_landings}},
    {"message_bytes", &profile::message_bytes, small_message_bytes, 65536}};

constexpr const char* distance_names[distances] = {"self", "node", "group", "machine"};

/// Reads one object of a file. Errors say where it is wrong.
class object_reader {
 public:
  object_reader(const std::string& file, std::string path, const json& object)
      : file_(file), path_(std::move(path)), object_(object) {
    if (!object.is_object()) fail("", "want an object { ... }");
  }

  template <class Object>
  void read(std::span<const field<Object>> fields, Object& into) {
    for (const field<Object>& f : fields) {
      if (const json* value = take(f.name)) into.*f.place = time_of(f.name, *value);
    }
  }

  void read(const number& what, profile& into) {
    const json* const value = take(what.name);
    if (value == nullptr) return;
    if (!value->is_number_integer() || *value < what.min || *value > what.max) {
      fail(what.name, fmt::format("want a whole number from {} to {}", what.min, what.max));
    }
    into.*what.place = value->get<int>();
  }

  void read(const char* name, std::string& into) {
    const json* const value = take(name);
    if (value == nullptr) return;
    if (!value->is_string()) fail(name, "want a text");
    into = value->get<std::string>();
  }

  /// Returns the value of a key, and marks the key as known; null if the key is missing.
  const json* take(const char* name) {
    known_.push_back(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  /// Call it at the end: refuses keys that were not read.
  void refuse_others() const {
    for (const auto& [name, value] : object_.items()) {
      bool known = false;
      for (const char* k : known_) known |= name == k;
      if (known) continue;
      std::string names;
      for (const char* k : known_) names += fmt::format("{}{}", names.empty() ? "" : ", ", k);
      fail(name, "no such value; there are: " + names);
    }
  }

 private:
  picoseconds time_of(const char* name, const json& value) const {
    constexpr double longest_ns = 1e9;
    const double ns = value.is_number() ? value.get<double>() : -1;
    if (!(ns >= 0 && ns <= longest_ns)) {
      fail(name, fmt::format("{}: want nanoseconds, from 0 to {:.0f}", value.dump(), longest_ns));
    }
    return static_cast<picoseconds>(std::llround(ns * 1000));
  }

  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    const std::string dot = path_.empty() || name.empty() ? "" : ".";
    throw bad_argument(fmt::format("profile {}: {}{}{}: {}", file_, path_, dot, name, what));
  }

  const std::string& file_;
  std::string path_;
  const json& object_;
  std::vector<const char*> known_;
};

/// Returns null if there is no profile of this name.
const profile* known_profile(const std::string& name) {
  const std::vector<profile>& all = known_profiles();
  const auto found = std::ranges::find(all, name, &profile::name);
  return found == all.end() ? nullptr : &*found;
}

std::string known_names() {
  std::string names;
  for (const profile& known : known_profiles()) names += (names.empty() ? "" : ", ") + known.name;
  return names;
}

template <class Object>
bool all_are_zero(std::span<const field<Object>> fields, const Object& of) {
  return std::ranges::all_of(fields, [&](const field<Object>& f) { return of.*f.place == 0; });
}

bool costs_nothing(const profile& machine) {
  const std::span<const field<start_costs>> starts(start_fields);
  const std::span<const field<link_costs>> links(link_fields);
  return all_are_zero(starts, machine.inside) && all_are_zero(starts, machine.outside) &&
         std::ranges::all_of(machine.links,
                             [&](const link_costs& link) { return all_are_zero(links, link); }) &&
         all_are_zero(std::span<const field<profile>>(cost_fields), machine);
}

constexpr const char* how_to_begin =
    "name a known profile as its \"base\", or begin with what `far sim --show-profile` prints";

profile parse(const std::string& file, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) {
    throw bad_argument(fmt::format("profile {}: the file is empty; {}", file, how_to_begin));
  }
  json whole;
  try {
    whole = json::parse(text, nullptr, true, true);
  } catch (const json::parse_error& error) {
    throw bad_argument(
        fmt::format("profile {}: no JSON: byte {}: {}", file, error.byte, error.what()));
  }
  object_reader reader(file, "", whole);
  std::string base;
  reader.read("base", base);
  profile result;
  if (!base.empty()) {
    const profile* const known = known_profile(base);
    if (known == nullptr) {
      throw bad_argument(fmt::format("profile {}: base: there is no '{}'; there are: {}", file,
                                     base, known_names()));
    }
    result = *known;
  }
  result.name = file;
  reader.read("name", result.name);
  reader.read("about", result.about);
  for (const number& what : numbers) reader.read(what, result);
  for (const auto& [name, place] :
       {std::pair{"inside", &profile::inside}, std::pair{"outside", &profile::outside}}) {
    if (const json* part = reader.take(name)) {
      object_reader costs(file, name, *part);
      costs.read(std::span<const field<start_costs>>(start_fields), result.*place);
      costs.refuse_others();
    }
  }
  if (const json* part = reader.take("links")) {
    object_reader links(file, "links", *part);
    for (int d = 0; d < distances; ++d) {
      if (const json* one = links.take(distance_names[d])) {
        object_reader link(file, fmt::format("links.{}", distance_names[d]), *one);
        link.read(std::span<const field<link_costs>>(link_fields),
                  result.links[static_cast<std::size_t>(d)]);
        link.refuse_others();
      }
    }
    links.refuse_others();
  }
  reader.read(std::span<const field<profile>>(cost_fields), result);
  reader.read(std::span<const field<profile>>(rest_fields), result);
  reader.refuse_others();
  if (costs_nothing(result)) {
    throw bad_argument(fmt::format("profile {}: all times are 0 ns; {}", file, how_to_begin));
  }
  return result;
}

template <class Object>
json times_of(std::span<const field<Object>> fields, const Object& from) {
  json result = json::object();
  for (const field<Object>& f : fields) result[f.name] = static_cast<double>(from.*f.place) / 1000;
  return result;
}

}  // namespace

picoseconds figure_of(const profile& machine, std::string_view name) noexcept {
  for (const field<profile>& f : cost_fields) {
    if (name == f.name) return machine.*f.place;
  }
  constexpr std::string_view outside = "outside.";
  if (!name.starts_with(outside)) return 0;
  for (const field<start_costs>& f : start_fields) {
    if (name.substr(outside.size()) == f.name) return machine.outside.*f.place;
  }
  return 0;
}

std::string text_of(const profile& machine) {
  json whole = {{"name", machine.name}, {"about", machine.about}};
  for (const number& what : numbers) whole[what.name] = machine.*what.place;
  whole["inside"] = times_of(std::span<const field<start_costs>>(start_fields), machine.inside);
  whole["outside"] = times_of(std::span<const field<start_costs>>(start_fields), machine.outside);
  for (int d = 0; d < distances; ++d) {
    whole["links"][distance_names[d]] = times_of(std::span<const field<link_costs>>(link_fields),
                                                 machine.links[static_cast<std::size_t>(d)]);
  }
  whole.update(times_of(std::span<const field<profile>>(cost_fields), machine));
  whole.update(times_of(std::span<const field<profile>>(rest_fields), machine));
  return whole.dump(2) + "\n";
}

profile find_profile(const std::string& name_or_file) {
  if (const profile* const known = known_profile(name_or_file)) return *known;
  std::ifstream file(name_or_file);
  if (!file && errno != ENOENT) {
    throw bad_argument(
        fmt::format("profile {}: cannot open: {}", name_or_file, std::strerror(errno)));
  }
  if (!file) {
    throw bad_argument(fmt::format("there is no profile '{}', and no such file; there are: {}",
                                   name_or_file, known_names()));
  }
  std::string text;
  for (std::array<char, 4096> part{}; file.good();) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) {
    throw bad_argument(
        fmt::format("profile {}: cannot read: {}", name_or_file, std::strerror(errno)));
  }
  return parse(name_or_file, text);
}

}  // namespace far::fabric::sim
