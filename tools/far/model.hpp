#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

#include "far/model/formula.hpp"

namespace far::tools {

/// add_model adds `far model`; the others add its two subcommands.
void add_model(CLI::App& app, int& status);
void add_model_calibrate(CLI::App& model, int& status);
void add_model_explain(CLI::App& model, int& status);

/// A description for people: "get of a word".
[[nodiscard]] std::string_view meaning_of(model::component what);

/// The default profile of a simulated job.
inline constexpr std::string_view usual_profile = "cori-aries";

}  // namespace far::tools
