// far bench: measures libfar on this machine, beside the machine's limits and other libraries.

#include "far/bench.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/registry.hpp"
#include "bench/report.hpp"
#include "far/base/check.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/job.hpp"

namespace far::tools {
namespace {

struct bench_options {
  std::string name;
  bool json = false;
  bench::settings settings = {};
  std::string plots = {};  // a folder
};

int list_benchmarks(const bench_options& options) {
  const auto known = bench::benchmarks();
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& b : known) list.push_back({{"name", b.name}, {"summary", b.summary}});
    fmt::print("{}\n", list.dump(2));
    return 0;
  }
  for (const auto& b : known) fmt::print("  {:<10} {}\n", b.name, b.summary);
  fmt::print("  {:<10} {}\n", "all", "all of them, one after another");
  return 0;
}

// What makes the figures worth less than they could be.
std::vector<std::string> doubts() {
  std::vector<std::string> result;
  if (base::debug_checks || fabric::under_thread_sanitizer) {
    result.emplace_back("This far has debug checks built in: measure with a release build.");
  }
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > 0.5) {
    result.push_back(fmt::format(
        "Other programs use this machine (load {:.1f}): the figures suffer from it.", load));
  }
  return result;
}

// Draws what can be drawn, and says where it is.
void draw_figures(const bench_options& options, bench::report& result) {
  if (options.plots.empty()) return;
  if (result.figures.empty()) result.remarks.emplace_back("There are no figures to draw.");
  for (const bench::figure& f : result.figures) {
    result.remarks.push_back(fmt::format("Drawn: {}", bench::draw(f, options.plots)));
  }
}

// Whether nothing is asked of a benchmark that it does not know.
bool takes_settings(const bench_options& options, const bench::entry& asked) {
  const bench::settings& s = options.settings;
  if (asked.has_settings || (s.fabric.empty() && s.profile.empty() && s.ranks.empty())) return true;
  fmt::print(stderr,
             "far bench: {} takes no --fabric, --profile or --ranks: run it under far sim or far "
             "run to choose\n",
             asked.name);
  return false;
}

// Runs the benchmarks whose names are wanted; 1 if one of them failed. In a job, of whose ranks one
// measures for all, the others have nothing to show.
int run_benchmarks(const bench_options& options, const std::vector<bench::entry>& wanted) {
  int status = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  try {
    if (!options.plots.empty()) bench::prepare_to_draw(options.plots);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "far bench: {}\n", failure.what());
    return 1;
  }
  for (const std::string& doubt : doubts()) fmt::print(stderr, "far bench: {}\n", doubt);
  bool first = true;
  bool shows = !fabric::in_job();
  for (const bench::entry& b : wanted) {
    try {
      bench::report result = b.run(options.settings);
      if (result.measured.empty()) continue;
      shows = true;
      draw_figures(options, result);
      if (options.json) {
        bench::append_json(list, b.name, result);
        for (const auto& remark : result.remarks) fmt::print(stderr, "far bench: {}\n", remark);
      } else {
        fmt::print("{}{}", first ? "" : "\n", bench::table_of(b.name, result));
        std::fflush(stdout);
      }
    } catch (const std::exception& failure) {
      fmt::print(stderr, "far bench: {}: {}\n", b.name, failure.what());
      status = 1;
    }
    first = false;
  }
  if (options.json && shows) fmt::print("{}\n", list.dump(2));
  return status;
}

int run_bench(const bench_options& options) {
  if (options.name.empty()) return list_benchmarks(options);
  const auto known = bench::benchmarks();
  if (options.name == "all") {
    return takes_settings(options, {"all", {}, {}}) ? run_benchmarks(options, known) : 2;
  }
  std::string names;
  for (const auto& b : known) {
    if (b.name == options.name)
      return takes_settings(options, b) ? run_benchmarks(options, {b}) : 2;
    names += b.name + ", ";
  }
  fmt::print(stderr, "far bench: there is no benchmark '{}'; there are: {}all\n", options.name,
             names);
  return 2;
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
  const auto options = std::make_shared<bench_options>();
  CLI::App* const command =
      app.add_subcommand("bench", "Measure libfar here, beside the machine's limits and others");
  command->add_option("name", options->name, "What to measure; without it, the list");
  command->add_flag("--json", options->json,
                    "Print rows {name, ns, limit_ns, ratio, peers: {peer: ns}}");
  command->add_option("--fabric", options->settings.fabric, "Where to measure: sim");
  command->add_option("--profile", options->settings.profile,
                      "The machine to simulate: a known one's name, or a file");
  command->add_option("--ranks", options->settings.ranks, "The numbers of ranks to measure at")
      ->delimiter(',')
      ->check(CLI::Range(1, fabric::most_ranks));
  command->add_option("--plots", options->plots, "A folder for pictures of the figures, as SVG");
  command->callback([options, &status] { status = run_bench(*options); });
}

}  // namespace far::tools
