#pragma once

#include <CLI/CLI.hpp>

namespace far::tools {

/// The subcommand `far bench`.
void add_bench(CLI::App& app, int& status);

}  // namespace far::tools
