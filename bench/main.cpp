// far-bench, which `far bench` runs: measures libfar on this machine, compared with the machine's
// limits and other libraries. A separate program, so that `far` does not contain every benchmark.

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/harness/registry.hpp"
#include "bench/harness/report.hpp"
#include "far/base/check.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/job.hpp"
#include "tools/far/complain.hpp"

namespace far::bench {
namespace {

struct bench_options {
  std::string name;
  bool json = false;
  settings chosen = {};
  std::string plots = {};  // a folder
};

int list_benchmarks(const bench_options& options) {
  const auto known = benchmarks();
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

// Conditions that make the figures less reliable.
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

// Draws all figures, and reports their files.
void draw_figures(const bench_options& options, report& result) {
  if (options.plots.empty()) return;
  if (result.figures.empty()) result.remarks.emplace_back("There are no figures to draw.");
  for (const figure& f : result.figures) {
    result.remarks.push_back(fmt::format("Drawn: {}", draw(f, options.plots)));
  }
}

// Whether the benchmark supports all given options.
bool takes_settings(const bench_options& options, const entry& asked) {
  const settings& s = options.chosen;
  const bool chosen = !s.fabric.empty() || !s.profile.empty() || !s.ranks.empty() || s.quick;
  if (asked.has_settings || !chosen) return true;
  fmt::print(stderr,
             "far bench: {} takes no --fabric, --profile, --ranks or --quick: run it under far sim "
             "or far run to choose ranks\n",
             asked.name);
  return false;
}

// Runs the wanted benchmarks; returns 1 if one of them failed. In a job, one rank reports for all,
// and the others print nothing.
int run_benchmarks(const bench_options& options, const std::vector<entry>& wanted) {
  int status = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  try {
    if (!options.plots.empty()) prepare_to_draw(options.plots);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "far bench: {}\n", failure.what());
    return 1;
  }
  for (const std::string& doubt : doubts()) fmt::print(stderr, "far bench: {}\n", doubt);
  bool first = true;
  bool shows = !fabric::in_job();
  for (const entry& b : wanted) {
    try {
      report result = b.run(options.chosen);
      if (result.measured.empty()) continue;
      shows = true;
      draw_figures(options, result);
      if (options.json) {
        append_json(list, b.name, result);
        for (const auto& remark : result.remarks) fmt::print(stderr, "far bench: {}\n", remark);
      } else {
        fmt::print("{}{}", first ? "" : "\n", table_of(b.name, result));
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
  const auto known = benchmarks();
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
}  // namespace far::bench

int main(int argc, char** argv) {
  far::bench::bench_options options;
  CLI::App app("Compares libfar here with the machine's limits and others", "far bench");
  app.add_option("name", options.name, "What to measure; without it, the list");
  app.add_flag("--json", options.json, "Print rows {name, ns, limit_ns, ratio, peers: {peer: ns}}");
  app.add_option("--fabric", options.chosen.fabric, "Where to measure: sim");
  app.add_option("--profile", options.chosen.profile,
                 "The machine to simulate: a known one's name, or a file");
  app.add_option("--ranks", options.chosen.ranks, "The numbers of ranks to measure at")
      ->delimiter(',')
      ->check(CLI::Range(1, far::fabric::max_job_ranks));
  app.add_flag("--quick", options.chosen.quick,
               "Few short rounds: to see that a benchmark works, not to measure");
  app.add_option("--plots", options.plots, "A folder for pictures of the figures, as SVG");
  const auto run = [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& asked) {
      return app.exit(asked);
    } catch (const CLI::ParseError& error) {
      return far::tools::complain("far bench", error.what());
    }
    return far::bench::run_bench(options);
  };
  try {
    far::base::hold_standard_streams();
    const int status = run();
    far::base::flush_standard_output();
    return status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "far bench: {}\n", error.what());
    return 1;
  }
}
