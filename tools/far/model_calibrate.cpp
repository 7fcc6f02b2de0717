// far model calibrate: measures the costs of components of operations, and stores them.

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/progress.hpp"
#include "apps/common/table.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/report.hpp"
#include "far/base/error.hpp"
#include "far/far.hpp"
#include "tools/far/model.hpp"

namespace far::tools {
namespace {

using nlohmann::ordered_json;

struct model_calibrate_options {
  int ranks = 0;
  int ranks_per_node = 0;
  std::string fabric = "shm";
  std::string profile;
  bool json = false;
};

constexpr const char* model_calibrate_footer = R"(
Measures the cost of each component of an operation between ranks at each distance
that the job has, prints the costs, and stores them in the file of measured costs:
$FAR_MODEL, or far/model.json in $XDG_CACHE_HOME, or else in $HOME/.cache.

In a job (far run -n 16 --hosts a,b far model calibrate; mpirun; far sim) it
measures that job, and rank 0 stores the costs. Otherwise it starts ranks of its
own: as processes (shm) or threads of this machine, as processes that reach each
other through UCX (ucx), or simulated by the clock of a machine (sim).)";

std::string table_of(const model::costs_by_distance& costs) {
  apps::table table;
  table.add_column("component");
  table.add_column("what it is");
  for (const model::distance d : model::all_distances) {
    if (at(costs, d)) table.add_column(std::string(name_of(d)), apps::align::right);
  }
  for (std::size_t i = 0; i < model::components; ++i) {
    const auto what = static_cast<model::component>(i);
    std::vector<std::string> row{std::string(symbol_of(what)), std::string(meaning_of(what))};
    for (const auto& there : costs) {
      if (there) row.push_back(bench::human_time(there->costs.of(what)));
    }
    table.add_row(std::move(row));
  }
  for (std::size_t i = 0; i < model::bulk_cost_kinds; ++i) {
    const auto what = static_cast<model::bulk_cost>(i);
    std::vector<std::string> row{"", std::string(meaning_of(what))};
    for (const auto& there : costs) {
      if (there) row.push_back(bench::human_time(there->bulk.of(what)));
    }
    table.add_row(std::move(row));
  }
  return table.text();
}

ordered_json json_of(const model::costs_by_distance& costs) {
  ordered_json result = ordered_json::object();
  for (const model::distance d : model::all_distances) {
    if (!at(costs, d)) continue;
    ordered_json& there = result[std::string(name_of(d))];
    for (std::size_t i = 0; i < model::components; ++i) {
      const auto what = static_cast<model::component>(i);
      there[std::string(name_of(what))] = at(costs, d)->costs.of(what);
    }
    for (std::size_t i = 0; i < model::bulk_cost_kinds; ++i) {
      const auto what = static_cast<model::bulk_cost>(i);
      there[std::string(name_of(what))] = at(costs, d)->bulk.of(what);
    }
  }
  return result;
}

/// Collective: measures; rank 0 prints and stores the costs.
void calibrate(world& world, bool as_json) {
  const bool shows = world.rank() == 0;
  const std::string path = model::costs_file_path();
  if (shows) (void)model::read_costs(path);  // reports a faulty file before the work
  apps::progress_settings drawing;
  if (!shows) drawing.columns = 0;
  apps::progress_bar bar("model calibrate", drawing);
  const model::costs_by_distance costs =
      model::measure(world, [&](int step, int steps, std::string_view what) {
        bar.update(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(steps), what);
      });
  bar.finish();
  if (!shows) return;
  const std::string_view fabric = world.fabric().name();
  if (as_json) {
    const ordered_json result{
        {"fabric", fabric}, {"ranks", world.size()}, {"file", path}, {"ns", json_of(costs)}};
    fmt::print("{}\n", result.dump(2));
  } else {
    fmt::print("{}, {} ranks\n\n{}", fabric, world.size(), table_of(costs));
  }
  std::fflush(stdout);
  model::write_costs(path, fabric, costs);
  if (!as_json) fmt::print("\nkept in {}\n", path);
}

/// Returns the job to start. Errors: bad_argument.
run_options job_of(const model_calibrate_options& asked) {
  run_options job;
  if (asked.ranks < 0) throw bad_argument("-n: want a number of ranks above 0");
  if (asked.ranks_per_node < 0) throw bad_argument("--ranks-per-node: want a number above 0");
  const bool has_nodes = asked.fabric == "sim" || asked.fabric == "ucx";
  if (asked.fabric == "shm") {
    job.mode = job_mode::processes;
  } else if (asked.fabric == "threads") {
    job.mode = job_mode::threads;
  } else if (asked.fabric == "ucx") {
    job.mode = job_mode::ucx;
  } else if (asked.fabric == "sim") {
    job.mode = job_mode::fibers;
    job.profile = asked.profile.empty() ? usual_profile : asked.profile;
  } else {
    throw bad_argument(
        fmt::format("there is no fabric '{}' to start ranks on; there are: shm, threads, ucx, sim",
                    asked.fabric));
  }
  if (!has_nodes && asked.ranks_per_node > 0) {
    throw bad_argument("--ranks-per-node: is for --fabric ucx and sim");
  }
  if (asked.fabric != "sim" && !asked.profile.empty()) {
    throw bad_argument("--profile: is for --fabric sim");
  }
  // The min number of ranks with all distances.
  job.ranks = asked.ranks > 0 ? asked.ranks : has_nodes ? 4 : 2;
  if (has_nodes) job.ranks_per_node = asked.ranks_per_node > 0 ? asked.ranks_per_node : 2;
  return job;
}

}  // namespace

void add_model_calibrate(CLI::App& model, int& status) {
  CLI::App* const command =
      model.add_subcommand("calibrate", "Measure the costs of components here, and store them");
  const auto options = std::make_shared<model_calibrate_options>();
  command->add_option("-n,--ranks", options->ranks,
                      "Number of ranks (default: 2; for ucx and sim 4)");
  command->add_option("--fabric", options->fabric, "shm (default: processes), threads, ucx, or sim")
      ->option_text("NAME");
  command->add_option("--ranks-per-node", options->ranks_per_node,
                      "ucx, sim: the number of ranks that share a node (default: 2)");
  command
      ->add_option("--profile", options->profile,
                   "sim: the machine to simulate (default: cori-aries)")
      ->option_text("PROFILE");
  command->add_flag("--json", options->json, "Print it as one JSON object");
  command->footer(model_calibrate_footer);
  command->callback([command, options, &status] {
    status = 0;
    if (!fabric::in_job()) {
      const run_options job = job_of(*options);
      return run(job, [&](world& world) {
        // Two ranks on one processor would never run at the same time.
        if (job.mode != job_mode::fibers && world.size() <= bench::core_count()) {
          bench::take_own_core(world.rank());
        }
        calibrate(world, options->json);
      });
    }
    for (const char* option : {"--ranks", "--fabric", "--ranks-per-node", "--profile"}) {
      if (command->count(option) == 0) continue;
      throw bad_argument(fmt::format("{}: the job is there already, and is what it is", option));
    }
    run([&](world& world) { calibrate(world, options->json); });
  });
}

}  // namespace far::tools
