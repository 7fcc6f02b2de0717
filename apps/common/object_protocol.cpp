#include "apps/common/object_protocol.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace far::apps {
namespace {

constexpr std::array<std::pair<std::string_view, object_protocol>, 2> names{{
    {"automatic", object_protocol::automatic},
    {"invalidate", object_protocol::invalidate},
}};

std::string all_names() {
  std::string list;
  for (const auto& [name, value] : names)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  return list;
}

}  // namespace

void add_protocol_option(CLI::App& app, object_protocol& chosen) {
  const auto choose = [&chosen](const std::string& asked) {
    for (const auto& [name, value] : names) {
      if (name != asked) continue;
      chosen = value;
      return;
    }
    throw CLI::ValidationError("--protocol", fmt::format("'{}' is none of {}", asked, all_names()));
  };
  app.add_option_function<std::string>("--protocol", choose,
                                       "how ranks see each other's objects: " + all_names())
      ->default_str(name_of(chosen));
}

std::string name_of(object_protocol protocol) {
  for (const auto& [name, value] : names) {
    if (value == protocol) return std::string(name);
  }
  return {};
}

object_space_options options_of(object_protocol protocol) {
  return {.force_protocol = protocol == object_protocol::invalidate};
}

}  // namespace far::apps
