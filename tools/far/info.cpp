// far info: prints this build, the machine, and the limits of a job here.

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "far/base/check.hpp"
#include "far/base/environment.hpp"
#include "far/base/limits.hpp"
#include "far/base/version.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/job.hpp"
#include "tools/far/levels.hpp"
#include "tools/far/subcommands.hpp"
#include "tools/far/topology.hpp"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace far::tools {
namespace {

using nlohmann::ordered_json;

const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

struct fabric_kind {
  fabric::job_mode mode;
  const char* what;
};

constexpr fabric_kind kinds[] = {
    {fabric::job_mode::threads, "ranks are processes or threads of one machine"},
    {fabric::job_mode::fibers, "a simulator: ranks are fibers of one process"},
};

/// Queries each fabric in a job of one rank.
ordered_json fabrics() {
  ordered_json result = ordered_json::array();
  for (const fabric_kind& kind : kinds) {
    if (fabric::under_thread_sanitizer && kind.mode == fabric::job_mode::fibers) continue;
    fabric::job_options options;
    options.mode = kind.mode;
    fabric::run_job(options, [&](fabric::fabric& rank) {
      result.push_back(
          {{"name", rank.name()}, {"what", kind.what}, {"message_bytes", rank.max_payload()}});
    });
  }
  if (fabric::spans_machines()) {
    result.push_back({{"name", "ucx"},
                      {"what", "ranks on many machines, which mpirun, srun or prun start"},
                      {"message_bytes", result.front()["message_bytes"]}});
  }
  return result;
}

std::uint64_t pages(int which) {
  return static_cast<std::uint64_t>(std::max(sysconf(which), 0L)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

ordered_json limits() {
  std::uint64_t heap = 0;
  fabric::run_job(
      {}, [&](fabric::fabric& rank) { heap = rank.layout().bytes[fabric::symmetric_segment]; });
  return {{"ranks", fabric::max_job_ranks},
          {"ranks_of_an_address", fabric::address::max_ranks},
          {"segments_of_a_rank", fabric::address::max_segments},
          {"segment_bytes", fabric::address::max_offset + 1},
          {"contexts_of_a_rank", fabric::max_contexts},
          {"lanes_of_a_rank", fabric::max_lanes},
          {"heap_bytes_of_one_rank", heap}};
}

ordered_json environment() {
  std::vector<std::string> settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string_view(*entry).starts_with("FAR_")) settings.emplace_back(*entry);
  }
  std::sort(settings.begin(), settings.end());
  ordered_json result = ordered_json::object();
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    result[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return result;
}

ordered_json collect() {
  ordered_json result;
  result["version"] = FAR_VERSION;
  result["compiler"] = compiler();
  result["debug_checks"] = base::debug_checks;
  result["handlers"] = fabric::handlers_description();
  result["fabrics"] = fabrics();
  result["machine"] = machine_topology();
  result["levels"] = levels_of_machine();
  if (const std::string_view stated = base::environment_text("FAR_LEVELS"); !stated.empty()) {
    result["stated_levels"] = base::parse_levels(stated, "FAR_LEVELS", 0);
  }
  result["memory"] = {{"bytes", pages(_SC_PHYS_PAGES)}, {"free_bytes", pages(_SC_AVPHYS_PAGES)}};
  if (const std::uint64_t usable = base::usable_memory(); usable < pages(_SC_PHYS_PAGES)) {
    result["memory"]["limit_bytes"] = usable;  // limit of a control group
  }
  result["limits"] = limits();
  result["environment"] = environment();
  return result;
}

/// "24 GiB", "1.5 MiB", "8192 bytes".
std::string readable(std::uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

void row(std::string_view name, std::string_view value) { fmt::print("{:<14}{}\n", name, value); }

std::string text(const ordered_json& value) { return value.get<std::string>(); }
std::string number(const ordered_json& value) { return value.dump(); }
std::string bytes(const ordered_json& value) { return readable(value.get<std::uint64_t>()); }

void print_machine(const ordered_json& machine) {
  row("machine", text(machine["processor"]));
  row("topology", fmt::format("packages {}, NUMA nodes {}, cores {}, hardware threads {}",
                              number(machine["packages"]), number(machine["numa_nodes"]),
                              number(machine["cores"]), number(machine["threads"])));
  row("allowed here", fmt::format("hardware threads {}", number(machine["threads_allowed"])));
  std::string_view title = "caches";
  for (const auto& cache : machine["caches"]) {
    row(std::exchange(title, ""), fmt::format("{:<4} {} x {}", text(cache["name"]),
                                              number(cache["count"]), bytes(cache["bytes"])));
  }
}

void print_levels(const ordered_json& all) {
  std::string line;
  for (const auto& level : all["levels"]) {
    line += fmt::format("{}{} {}", line.empty() ? "" : " x ", text(level["name"]),
                        number(level["count"]));
  }
  const bool any = all["levels"].size() > 1;
  row("levels", line + (any ? ", for locks, if ranks are bound to processors"
                            : ": for locks, all ranks of it are equally near"));
  if (!all.contains("stated_levels")) return;
  line.clear();
  for (const auto& elements : all["stated_levels"]) {
    line += (line.empty() ? "" : " x ") + number(elements);
  }
  row("", line + " ranks, for locks, according to FAR_LEVELS");
}

void print_limits(const ordered_json& limits) {
  row("limits", fmt::format("{} ranks on one machine, {} in an address", number(limits["ranks"]),
                            number(limits["ranks_of_an_address"])));
  row("", fmt::format("{} contexts (threads) and {} lanes per rank",
                      number(limits["contexts_of_a_rank"]), number(limits["lanes_of_a_rank"])));
  row("", fmt::format("{} segments per rank, of at most {}", number(limits["segments_of_a_rank"]),
                      bytes(limits["segment_bytes"])));
  row("", fmt::format("{} for all symmetric heaps together, and as much for all local ones",
                      bytes(limits["heap_bytes_of_one_rank"])));
}

void print(const ordered_json& all) {
  row("version", text(all["version"]) + (all["debug_checks"] ? ", with debug checks" : ""));
  row("compiler", text(all["compiler"]));
  row("handlers", text(all["handlers"]));
  std::string_view title = "fabrics";
  for (const auto& fabric : all["fabrics"]) {
    row(std::exchange(title, ""),
        fmt::format("{:<4} {}; messages of at most {}", text(fabric["name"]), text(fabric["what"]),
                    bytes(fabric["message_bytes"])));
  }
  print_machine(all["machine"]);
  print_levels(all);
  const auto& memory = all["memory"];
  row("memory",
      fmt::format("{}, {} free{}", bytes(memory["bytes"]), bytes(memory["free_bytes"]),
                  memory.contains("limit_bytes")
                      ? fmt::format("; this control group may use {}", bytes(memory["limit_bytes"]))
                      : ""));
  print_limits(all["limits"]);
  title = "environment";
  for (const auto& [name, value] : all["environment"].items()) {
    row(std::exchange(title, ""), name + "=" + text(value));
  }
  if (all["environment"].empty()) row(title, "no FAR_ variable is set");
}

}  // namespace

void add_info(CLI::App& app, int& status) {
  CLI::App* const info = app.add_subcommand("info", "Version, fabrics, machine and limits");
  const auto as_json = std::make_shared<bool>(false);
  info->add_flag("--json", *as_json, "Print it as one JSON object");
  info->callback([as_json, &status] {
    const ordered_json all = collect();
    if (*as_json) {
      fmt::print("{}\n", all.dump(2));
    } else {
      print(all);
    }
    status = 0;
  });
}

}  // namespace far::tools
