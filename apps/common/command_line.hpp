#pragma once
// What the programs' command lines have in common.

#include <string>

#include <CLI/CLI.hpp>

namespace far::apps {

/// Reads the command line into what `app`'s options are bound to. False when it asked for help or
/// the version: their text then is in `answer`.
/// Errors: bad_argument, one line.
bool parse_command_line(CLI::App& app, int argc, const char* const* argv, std::string& answer);

/// Checks that an option is a number of [least, most]; CLI::Range lets "nan" pass, and takes -1
/// for a large number where the option is unsigned.
[[nodiscard]] CLI::Validator number_between(double least, double most);

}  // namespace far::apps
