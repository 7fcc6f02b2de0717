#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace far::tools {

/// Cuts off the part of a command line that belongs to the program that it starts, whatever that
/// part looks like: `run -n 2 [--] PROGRAM ...`. `arguments` begin with the subcommand's name;
/// those of other subcommands are left as they are.
std::vector<std::string> cut_program(const CLI::App& subcommand,
                                     std::vector<std::string>& arguments);

}  // namespace far::tools
