// far sim calibrate: fits a profile to this machine.

#include "tools/far/calibrate.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apps/common/table.hpp"
#include "bench/harness/calibrate.hpp"
#include "bench/harness/report.hpp"
#include "far/base/error.hpp"

namespace far::tools {
namespace {

struct calibrate_options {
  std::string name = "laptop";
  std::string file;
};

constexpr const char* footer = R"(
Measures two processes of this machine for some seconds, and fits a profile of it
for the simulator: far sim --profile FILE. The profile is written to FILE, or to
standard output. The times that it was fitted to are printed on standard error.)";

int run_calibrate(const calibrate_options& options) {
  std::ofstream file;
  if (!options.file.empty()) {  // opened first, so that a failure does not lose the work
    file.open(options.file);
    if (!file) {
      throw bad_argument(fmt::format("cannot write '{}': {}", options.file, std::strerror(errno)));
    }
  }
  const bench::calibration result = bench::calibrate(options.name);
  apps::table table;
  table.add_column("fitted on");
  table.add_column("measured", apps::align::right);
  table.add_column("simulated", apps::align::right);
  for (const bench::fitted_cost& cost : result.costs) {
    table.add_row(
        {cost.name, bench::human_time(cost.measured_ns), bench::human_time(cost.simulated_ns)});
  }
  fmt::print(stderr, "{}", table.text());
  if (options.file.empty()) {
    fmt::print("{}", result.profile);
  } else if (!(file << result.profile << std::flush)) {
    throw bad_argument(fmt::format("cannot write '{}': {}", options.file, std::strerror(errno)));
  }
  return 0;
}

}  // namespace

void add_calibrate(CLI::App& sim, int& status) {
  CLI::App* const calibrate = sim.add_subcommand("calibrate", "Fit a profile to this machine");
  const auto options = std::make_shared<calibrate_options>();
  calibrate->add_option("-o,--output", options->file, "The file to write")->option_text("FILE");
  calibrate->add_option("--name", options->name, "The profile's name in it (default: laptop)")
      ->option_text("NAME");
  calibrate->footer(footer);
  calibrate->callback([options, &status] { status = run_calibrate(*options); });
}

}  // namespace far::tools
