#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace far::tools {

/// Adds --levels to a command that starts ranks.
void add_levels(CLI::App& command, std::string& levels);

/// Errors: bad_argument for levels, if they are given, of another number of ranks; 0: any.
void check_levels(const CLI::App& command, const std::string& levels, int ranks);

/// What locks tell apart within this machine, where ranks are bound to all of its hardware threads:
/// [{name, count}], the machine first.
nlohmann::ordered_json levels_of_machine();

}  // namespace far::tools
