#pragma once
// The subcommands of `far`. Each has its own file, adds itself to the command line, and sets the
// exit status if it runs.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace far::tools {

/// `program`: the program to run and its arguments, set before the command line is parsed
/// (program_line.hpp).
void add_run(CLI::App& app, const std::vector<std::string>& program, int& status);
void add_java(CLI::App& app, const std::vector<std::string>& program, int& status);
void add_sim(CLI::App& app, const std::vector<std::string>& program, int& status);
void add_info(CLI::App& app, int& status);

}  // namespace far::tools
