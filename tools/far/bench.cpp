// far bench: runs far-bench, which is in the folder of the `far` command.

#include "tools/far/bench.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/program.hpp"

namespace far::tools {
namespace {

/// Replaces this process by far-bench. Returns an exit status only if far-bench cannot be run.
int run_far_bench(std::vector<std::string> arguments) {
  const std::string program = bench::own_folder() / "far-bench";
  std::vector<char*> words{const_cast<char*>("far bench")};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  fmt::print(stderr, "far bench: cannot run {}: {}; it is built and installed with far\n", program,
             std::strerror(errno));
  return 1;
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
  CLI::App* const command =
      app.add_subcommand("bench", "Compare libfar here with the machine's limits and others");
  command->prefix_command();
  command->set_help_flag();  // far-bench prints the help
  command->callback([command, &status] { status = run_far_bench(command->remaining()); });
}

}  // namespace far::tools
