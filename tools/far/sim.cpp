// far sim: runs a program as the ranks of a simulated job.

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/table.hpp"
#include "bench/harness/report.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/simulate.hpp"
#include "tools/far/calibrate.hpp"
#include "tools/far/explore.hpp"
#include "tools/far/levels.hpp"
#include "tools/far/subcommands.hpp"

namespace far::tools {
namespace {

struct sim_options {
  fabric::simulate_options job;
  std::string symmetric;
  std::string local;
  std::string shown;  // the profile to print
  bool list = false;
  bool json = false;
};

constexpr const char* sim_footer = R"(
Runs PROGRAM in one process, as N ranks that are fibers; far::run(program) in it
joins the job. With a profile, time is that of the machine which the profile
describes, and the job's time is printed at the end, on standard error. Without
one, the seed decides the order of the ranks' steps.

The exit status is PROGRAM's, or 128 + the signal that it died from; 126:
PROGRAM cannot be executed, 127: there is no such program, 2: a wrong command
line.)";

std::string bytes_of(const nlohmann::json& report, const char* key) {
  return fmt::format("{}", report[key].get<std::uint64_t>());
}

void show(const std::string& text) {
  const auto report = nlohmann::json::parse(text);
  const std::string profile = report["profile"];
  fmt::print(stderr, "\nfar sim: {} ranks{}{}; {} of virtual time\n", report["ranks"].get<int>(),
             profile.empty() ? "" : " of ", profile,
             bench::human_time(report["virtual_ns"].get<double>()));
  apps::table table;
  table.add_column("operation");
  table.add_column("count", apps::align::right);
  table.add_column("bytes", apps::align::right);
  const auto add = [&](const char* name, const char* key, const char* bytes) {
    table.add_row({name, fmt::format("{}", report[key].get<std::uint64_t>()),
                   bytes == nullptr ? "" : bytes_of(report, bytes)});
  };
  add("put", "puts", "put_bytes");
  add("get", "gets", "get_bytes");
  add("atomic", "atomics", nullptr);
  add("signal", "signals", nullptr);
  add("message", "messages", "message_bytes");
  add("reply", "replies", nullptr);
  fmt::print(stderr, "{}", table.text());
}

int list_machines(const sim_options& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  apps::table table;
  table.add_column("profile");
  table.add_column("machine");
  for (const auto& machine : fabric::simulated_machines()) {
    table.add_row({machine.name, machine.about});
    list.push_back(nlohmann::ordered_json::parse(machine.text));
  }
  fmt::print("{}", options.json ? list.dump(2) + "\n" : table.text());
  return 0;
}

int show_machine(const std::string& name) {
  for (const auto& machine : fabric::simulated_machines()) {
    if (machine.name != name) continue;
    fmt::print("{}", machine.text);
    return 0;
  }
  throw bad_argument(fmt::format("there is no profile '{}'; --list-profiles lists them", name));
}

int run_sim(sim_options& options, const std::vector<std::string>& program) {
  if (options.list) return list_machines(options);
  if (!options.shown.empty()) return show_machine(options.shown);
  if (program.empty()) throw bad_argument("no program to run");
  const auto heap = [](const std::string& text, const char* option) {
    return text.empty() ? 0 : base::parse_size(text, option);
  };
  options.job.symmetric_bytes = heap(options.symmetric, "--symmetric-heap");
  options.job.local_bytes = heap(options.local, "--local-heap");
  options.job.program = program.front();
  options.job.args.assign(program.begin() + 1, program.end());
  std::fflush(nullptr);
  const fabric::simulated result = fabric::simulate(options.job);
  if (result.report.empty()) return result.status;
  if (options.json) {
    fmt::print("{}", result.report);
  } else {
    show(result.report);
  }
  return result.status;
}

}  // namespace

void add_sim(CLI::App& app, const std::vector<std::string>& program, int& status) {
  CLI::App* const sim = app.add_subcommand("sim", "Run a program as the ranks of a simulated job");
  const auto options = std::make_shared<sim_options>();
  sim->add_option("-n,--ranks", options->job.ranks, "Number of ranks (default: 1)");
  sim->add_option("-p,--profile", options->job.profile,
                  "The machine to simulate: a name, or your own file")
      ->option_text("PROFILE");
  sim->add_option("--seed", options->job.seed, "Without a profile: which order (default: 1)");
  sim->add_option("--symmetric-heap", options->symmetric,
                  "Capacity of each rank's symmetric heap, such as 512M or 2G")
      ->option_text("SIZE");
  sim->add_option("--local-heap", options->local, "Capacity of each rank's local heap")
      ->option_text("SIZE");
  sim->add_flag("--service", options->job.service,
                "Each rank has a thread that runs handlers when it computes");
  add_levels(*sim, options->job.levels);
  sim->add_flag("--json", options->json, "Print time and operations as a line of JSON, at the end");
  sim->add_flag("--list-profiles", options->list, "List the known profiles");
  sim->add_option("--show-profile", options->shown, "Print a profile, to start your own from")
      ->option_text("PROFILE");
  // Only for the help: this parser never sees these (program_line.hpp).
  sim->add_option("PROGRAM", "The program, a path or a name in PATH")->option_text(" ");
  sim->add_option("ARGS", "Its arguments")->option_text(" ");
  sim->footer(sim_footer);
  add_explore(*sim, program, status);
  add_calibrate(*sim, status);
  sim->callback([sim, options, &program, &status] {
    if (!sim->get_subcommands().empty()) return;
    check_levels(*sim, options->job.levels, options->job.ranks);
    status = run_sim(*options, program);
  });
}

}  // namespace far::tools
