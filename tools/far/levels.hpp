#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace far::tools {

/// Adds --levels to a command that starts ranks.
void add_levels(CLI::App& command, std::string& levels);

/// Checks --levels if it is given. Errors: bad_argument for malformed levels, and for levels of
/// another number of ranks; `ranks` 0 accepts any number.
void check_levels(const CLI::App& command, const std::string& levels, int ranks);

/// The levels that locks distinguish within this machine, if ranks are bound to all of its hardware
/// threads: [{name, count}], the machine first.
nlohmann::ordered_json levels_of_machine();

}  // namespace far::tools
