// The `far` command.

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/base/version.hpp"
#include "tools/far/bench.hpp"
#include "tools/far/complain.hpp"
#include "tools/far/model.hpp"
#include "tools/far/program_line.hpp"
#include "tools/far/subcommands.hpp"

namespace {

std::string command_of(const CLI::App& app) {
  std::string name = "far";
  for (const CLI::App* chosen : app.get_subcommands()) name += " " + chosen->get_name();
  return name;
}

bool is_command(CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](CLI::App* command) { return command->get_name() == name; })
              .empty();
}

int complain(const CLI::App& app, const std::string& what) {
  return far::tools::complain(command_of(app), what);
}

/// Returns the exit status. Errors: far::error, and other exceptions of parsing and commands.
int run(CLI::App& app, std::vector<std::string> arguments) {
  app.set_version_flag("--version", "far " FAR_VERSION);
  app.require_subcommand(0, 1);
  int status = 0;
  std::vector<std::string> program;
  far::tools::add_run(app, program, status);
  far::tools::add_java(app, program, status);
  far::tools::add_sim(app, program, status);
  far::tools::add_info(app, status);
  far::tools::add_bench(app, status);
  far::tools::add_model(app, status);

  if (!arguments.empty() && arguments[0][0] != '-' && !is_command(app, arguments[0])) {
    return complain(app, fmt::format("there is no command '{}'", arguments[0]));
  }
  for (const char* name : {"run", "java", "sim"}) {
    // Java has options of its own: -jar, -cp.
    const auto rest = std::string_view(name) == "java" ? far::tools::unknown_options::program
                                                       : far::tools::unknown_options::ours;
    auto cut = far::tools::cut_program(*app.get_subcommand(name), arguments, rest);
    if (!cut.empty()) program = std::move(cut);
  }
  std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse
  try {
    app.parse(arguments);
    if (app.get_subcommands().empty()) return complain(app, "no command");
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(app, error.what());
  } catch (const far::bad_argument& error) {
    return complain(app, error.what());
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs programs that use libfar, and shows information about it.", "far");
  try {
    far::base::hold_standard_streams();
    const int status = run(app, {argv + 1, argv + argc});
    far::base::flush_standard_output();
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", command_of(app), error.what());
    return 1;
  }
}
