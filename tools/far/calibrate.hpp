#pragma once

#include <CLI/CLI.hpp>

namespace far::tools {

/// Adds `calibrate` to the subcommand `sim`.
void add_calibrate(CLI::App& sim, int& status);

}  // namespace far::tools
