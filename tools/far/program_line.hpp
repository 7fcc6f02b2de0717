#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace far::tools {

/// What an option is that the subcommand does not know: an error of the command line, or where the
/// program begins.
enum class unknown_options { ours, program };

/// Removes the program to start and its arguments from a command line, whatever they look like, and
/// returns them: `run -n 2 [--] PROGRAM ...`. `arguments` begin with the subcommand's name; a
/// command line of another subcommand is not changed.
std::vector<std::string> cut_program(const CLI::App& subcommand,
                                     std::vector<std::string>& arguments,
                                     unknown_options unknown = unknown_options::ours);

}  // namespace far::tools
