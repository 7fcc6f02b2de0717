// far sim explore: searches for an order of steps in which a program fails.

#include "tools/far/explore.hpp"

#include <signal.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/explore.hpp"
#include "tools/far/levels.hpp"

namespace far::tools {
namespace {

struct explore_line {
  fabric::explore_options search;
  std::string driver = "random";
  int depth = 3;
  std::uint64_t seeds = 0;  // 0: the default
  bool pause = false;
  std::string symmetric;
  std::string local;
};

constexpr const char* explore_footer = R"(
Runs PROGRAM again and again as N simulated ranks, each time with another order
of the steps that its ranks and the network may take, until it fails: by its exit
status, by a signal, or by --timeout. Then simplifies the failing order, and
prints its steps and how to replay it.

A test that runs its ranks as fibers may be explored too: PROGRAM is the test and
ARGS choose one case (--gtest_filter=...).

The exit status is 1 after a failure, and 2 for a wrong command line.)";

std::string driver_of(const explore_line& line) {
  if (line.pause && line.driver != "random") {
    throw bad_argument("--pause goes with --driver random alone");
  }
  if (line.pause) return "random:pause";
  if (line.driver == "pct") return fmt::format("pct:{}", line.depth);
  const bool all = line.driver.starts_with("exhaustive");
  return all && line.seeds != 0 ? fmt::format("{}:{}", line.driver, line.seeds) : line.driver;
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += "  " + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return result;
}

std::string end_of(int status) {
  if (status == 128 + SIGALRM) return "it took longer than --timeout allows";
  if (status <= 128) return fmt::format("exit status {}", status);
  const char* const name = sigdescr_np(status - 128);
  return fmt::format("signal {} ({})", status - 128, name == nullptr ? "unknown" : name);
}

std::string command_of(const fabric::simulate_options& job) {
  std::string text = job.program;
  for (const std::string& a : job.args) {
    const bool plain = !a.empty() && a.find_first_of(" \t\n\"'\\$&|;<>()*?[]#~`!{}") == a.npos;
    text += plain ? " " + a : " '" + a + "'";
  }
  return text;
}

void tell(const fabric::explored& found, const fabric::simulate_options& job) {
  fmt::print("far sim explore: '{}' fails under seed {}, in run {}: {}\n{}", job.program,
             found.seed, found.runs, end_of(found.status), indented(found.errors));
  if (!found.repeats) {
    fmt::print(
        "The same choices did not make it fail again in this way: it depends on something other "
        "than the order of its steps (time, addresses, files, threads of its own).\n");
    return;
  }
  fmt::print(
      "\nWhat differs from a calm machine ({} choices, {} before {} runs of "
      "shrinking):\n{}",
      found.deviations, found.first_deviations, found.shrink_runs,
      found.story.empty() ? "  nothing\n" : indented(found.story));
  fmt::print("\nTo replay it:\n  {}{}\n", found.setting, command_of(job));
}

int run_explore(explore_line& line, const std::vector<std::string>& program) {
  if (program.empty()) throw bad_argument("no program to run");
  fabric::explore_options& search = line.search;
  const auto heap = [](const std::string& text, const char* option) {
    return text.empty() ? 0 : base::parse_size(text, option);
  };
  search.job.symmetric_bytes = heap(line.symmetric, "--symmetric-heap");
  search.job.local_bytes = heap(line.local, "--local-heap");
  search.job.program = program.front();
  search.job.args.assign(program.begin() + 1, program.end());
  if (line.seeds != 0) search.seeds = line.seeds;
  search.driver = driver_of(line);
  apps::progress_bar bar("exploring");
  search.progress = [&](std::uint64_t done, const std::string& what) {
    bar.update(done, search.seeds, what);
  };
  const fabric::explored found = fabric::explore(search);
  bar.finish();
  if (found.failed) {
    tell(found, search.job);
    return 1;
  }
  if (!found.told.empty()) {
    fmt::print("{}", found.told);
  } else {
    fmt::print("far sim explore: no failure in {} runs, of seeds {} to {}\n", found.runs,
               search.job.seed, search.job.seed + search.seeds - 1);
  }
  return 0;
}

}  // namespace

void add_explore(CLI::App& sim, const std::vector<std::string>& program, int& status) {
  CLI::App* const explore =
      sim.add_subcommand("explore", "Search for an order of steps in which a program fails");
  const auto line = std::make_shared<explore_line>();
  fabric::explore_options& search = line->search;
  explore->add_option("-n,--ranks", search.job.ranks, "Number of ranks (default: 1)");
  explore->add_option("--seeds", line->seeds,
                      "How many orders to try (default: 1000; exhaustive: 1000000)");
  explore->add_option("--first", search.job.seed, "The first seed (default: 1)")
      ->option_text("SEED");
  explore->add_option("--driver", line->driver, "What chooses the order (default: random)")
      ->check(CLI::IsMember({"random", "pct", "exhaustive", "exhaustive:verbs"}))
      ->option_text("random|pct|exhaustive|exhaustive:verbs");
  explore->add_option("--depth", line->depth, "For pct: how many steps must be in a certain order")
      ->check(CLI::Range(1, 100))
      ->option_text("D");
  explore->add_flag("--pause", line->pause, "For random: ranks pause for long");
  explore->add_flag(
      "--kill", search.kill,
      "Under each seed, each rank dies at each of its first 256 calls, and some later");
  explore->add_option("--timeout", search.timeout_s, "Max seconds of a run; 0: no limit")
      ->option_text("SECONDS");
  explore->add_option("--shrink", search.shrink_runs, "Max number of runs to simplify a failure")
      ->option_text("RUNS");
  explore
      ->add_option("--symmetric-heap", line->symmetric,
                   "Capacity of each rank's symmetric heap, such as 512M or 2G")
      ->option_text("SIZE");
  explore->add_option("--local-heap", line->local, "Capacity of each rank's local heap")
      ->option_text("SIZE");
  explore->add_flag("--service", search.job.service,
                    "Each rank has a thread that runs handlers when it computes");
  add_levels(*explore, search.job.levels);
  // Only for the help: this parser never sees these (program_line.hpp).
  explore->add_option("PROGRAM", "The program, a path or a name in PATH")->option_text(" ");
  explore->add_option("ARGS", "Its arguments")->option_text(" ");
  explore->footer(explore_footer);
  explore->callback([explore, line, &program, &status] {
    check_levels(*explore, line->search.job.levels, line->search.job.ranks);
    status = run_explore(*line, program);
  });
}

}  // namespace far::tools
