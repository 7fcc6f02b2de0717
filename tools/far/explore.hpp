#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace far::tools {

/// Adds `explore` to the subcommand `sim`. For `program` see subcommands.hpp.
void add_explore(CLI::App& sim, const std::vector<std::string>& program, int& status);

}  // namespace far::tools
