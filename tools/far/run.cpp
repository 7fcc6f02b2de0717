// far run: starts a program as the ranks of a job.

#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "bindings/shmem/symmetric_size.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/launch/launch.hpp"
#include "tools/far/levels.hpp"
#include "tools/far/subcommands.hpp"

namespace far::tools {
namespace {

/// Heap sizes as text: our own parser understands units and reports errors.
struct sizes {
  std::string symmetric;
  std::string local;
};

/// Throws bad_argument if the option is given.
void refuse(const CLI::App& run, const char* option, const char* why) {
  if (run.count(option) > 0) throw bad_argument(std::string(option) + ": " + why);
}

constexpr const char* run_footer = R"(
Starts PROGRAM as N ranks of one job; far::run(program) or a far::job in it joins the job.
Arguments after PROGRAM are passed to it. The first rank that fails ends the others,
and the exit status is its status, or 128 + the signal that it died from;
124: the time limit has passed, 126: PROGRAM cannot be executed, 127: there is
no such program, 2: a wrong command line.

SIGQUIT (Ctrl-\) prints what each rank waits for.)";

constexpr double longest_timeout_s = 1e9;  // 31 years

std::uint64_t heap_size(const std::string& text, const char* option) {
  return text.empty() ? 0 : base::parse_size(text, option);
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& program, int& status) {
  CLI::App* const run = app.add_subcommand("run", "Start a program as the ranks of a job");
  const auto options = std::make_shared<launch::launch_options>();
  const auto heaps = std::make_shared<sizes>();
  const auto serves = std::make_shared<bool>(false);
  run->add_option("-n,--ranks", options->ranks,
                  "Number of ranks, 1 to 4096 (default: 1, or the sum of the hosts' numbers)");
  run->add_option("--hosts", options->hosts,
                  "Run on these machines, each with this number of ranks, reached by ssh")
      ->option_text("NAME[:RANKS],...");
  run->add_option("--rsh", options->remote_shell,
                  "Reach a host by this instead of ssh: COMMAND NAME COMMAND_THERE (FAR_RSH)")
      ->option_text("COMMAND");
  run->add_option("--remote-far", options->remote_far,
                  "The far command on the hosts, if its path differs from here")
      ->option_text("PATH");
  run->add_flag("--node", *serves)->group("");  // what --hosts starts there
  run->add_flag("--threads", options->threads, "Ranks are threads of one process");
  run->add_option("--timeout", options->timeout_s, "End the job after this time")
      ->option_text("SECONDS");
  run->add_flag("--tag-output", options->tag_output, "Begin each line of output with \"[RANK] \"");
  run->add_option("--symmetric-heap", heaps->symmetric,
                  "Capacity of each rank's symmetric heap, such as 512M or 2G")
      ->option_text("SIZE");
  run->add_option("--local-heap", heaps->local, "Capacity of each rank's local heap")
      ->option_text("SIZE");
  run->add_flag("--service", options->service,
                "Each rank has a thread that runs handlers when it computes");
  add_levels(*run, options->levels);
  // Only for the help: this parser never sees these (program_line.hpp).
  run->add_option("PROGRAM", "The program, a path or a name in PATH")->option_text(" ");
  run->add_option("ARGS", "Its arguments")->option_text(" ");
  run->footer(run_footer);
  run->callback([run, options, heaps, serves, &program, &status] {
    if (*serves) {
      status = launch::serve();
      return;
    }
    if (run->count("--hosts") == 0) {
      refuse(*run, "--rsh", "is for a job over machines (--hosts)");
      refuse(*run, "--remote-far", "is for a job over machines (--hosts)");
    } else {
      if (options->hosts.empty()) throw bad_argument("--hosts: want NAME[:RANKS],...");
      if (run->count("--ranks") == 0)
        options->ranks = 0;
      else if (options->ranks < 1)
        throw bad_argument("-n: want a number of ranks above 0");
    }
    if (program.empty()) throw bad_argument("no program to run");
    if (run->count("--timeout") > 0 &&
        !(options->timeout_s > 0 && options->timeout_s <= longest_timeout_s)) {
      throw bad_argument(fmt::format(
          "--timeout: want a number of seconds above 0 and up to {:.0f}; without it there is no "
          "limit",
          longest_timeout_s));
    }
    options->symmetric_bytes = heap_size(heaps->symmetric, "--symmetric-heap");
    if (options->symmetric_bytes == 0 && base::environment_text("FAR_SYMMETRIC_HEAP").empty()) {
      options->symmetric_bytes = shmem::asked_symmetric_size();
    }
    options->local_bytes = heap_size(heaps->local, "--local-heap");
    check_levels(*run, options->levels, options->ranks);
    options->program = program.front();
    options->args.assign(program.begin() + 1, program.end());
    status = launch::run(*options);
  });
}

}  // namespace far::tools
