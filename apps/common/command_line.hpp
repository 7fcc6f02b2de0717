#pragma once
// Command-line parsing shared by the programs.

#include <cstdint>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace far::apps {

/// Sets the program's name, and adds the option --version.
void name_program(CLI::App& app, const std::string& name);

/// Parses the command line into the variables that `app`'s options are bound to. Returns false if
/// the command line requests help or the version; `answer` then holds their text.
/// Errors: bad_argument, one line.
bool parse_command_line(CLI::App& app, int argc, const char* const* argv, std::string& answer);

/// Checks that an option is a number in [min, max]. CLI::Range accepts "nan", and reads -1 as a
/// large number if the option is unsigned.
[[nodiscard]] CLI::Validator number_between(double min, double max);

/// Adds an option that takes a whole number of 64 bits with sign, in decimal digits: CLI11 reads
/// 010 as 8, and a number beyond the range as the nearest in it.
CLI::Option* add_whole_number(CLI::App& app, const std::string& option,
                              std::function<void(std::int64_t)> take, const std::string& help);

}  // namespace far::apps
