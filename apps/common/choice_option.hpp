#pragma once
// Options that take one of a few names.

#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace far::apps {

/// A name on the command line, and the value that it stands for.
template <class T>
using choice = std::pair<std::string_view, T>;

/// The name of a value, which is one of the choices.
template <class T>
[[nodiscard]] std::string name_in(std::span<const choice<T>> choices, T value) {
  for (const auto& [name, named] : choices) {
    if (named == value) return std::string(name);
  }
  return {};
}

/// Adds an option that sets `chosen`. Any other name is refused by a line that lists the choices,
/// which must outlive the parsing.
template <class T>
void add_choice_option(CLI::App& app, const std::string& option, std::span<const choice<T>> choices,
                       T& chosen, const std::string& help) {
  const auto choose = [option, choices, &chosen](const std::string& asked) {
    for (const auto& [name, value] : choices) {
      if (name != asked) continue;
      chosen = value;
      return;
    }
    throw CLI::ValidationError(option, fmt::format("'{}' is none of {}", asked,
                                                   fmt::join(choices | std::views::keys, ", ")));
  };
  app.add_option_function<std::string>(option, choose, help)->default_str(name_in(choices, chosen));
}

}  // namespace far::apps
