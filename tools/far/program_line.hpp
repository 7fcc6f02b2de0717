#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace far::tools {

/// Removes the program to start and its arguments from a command line, whatever they look like, and
/// returns them: `run -n 2 [--] PROGRAM ...`. `arguments` begin with the subcommand's name; a
/// command line of another subcommand is not changed.
std::vector<std::string> cut_program(const CLI::App& subcommand,
                                     std::vector<std::string>& arguments);

}  // namespace far::tools
