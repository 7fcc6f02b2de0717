#include "bench/pairs_on_hosts.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/harness/two_hosts.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

report measure_in_job(const pairs_on_hosts& what, bool quick) {
  report result;
  run([&](world& world) {
    if (world.size() != 2) {
      throw bad_argument(fmt::format("the benchmark {} wants 2 ranks", what.name));
    }
    const round_times times = what.measure(world, quick);
    if (world.rank() != 0) return;
    result.measured = fmt::format("{}: two ranks of a job; {}.", what.name, world.fabric().name());
    for (const paired_subjects& pair : what.rows) result.rows.push_back(row_of(pair, times));
  });
  return result;
}

}  // namespace

report measure_on_hosts(const pairs_on_hosts& what, const settings& chosen) {
  check_settings(what.name, chosen);
  if (fabric::in_job()) return measure_in_job(what, chosen.quick);

  report result;
  result.measured = what.measured;
  const two_hosts hosts(what.limit_s);
  if (const std::string why = hosts.obstacle(); !why.empty()) {
    result.remarks.push_back(fmt::format("Not measured: {}.", why));
    return result;
  }
  std::vector<std::string> options;
  if (chosen.quick) options.emplace_back("--quick");
  const auto told = hosts.run_benchmark(what.name, options);
  if (told.size() != what.rows.size()) throw error("far on two hosts measured something else");
  for (std::size_t i = 0; i < told.size(); ++i) {
    row line{what.rows[i].row, told[i].at("ns"), told[i].at("limit_ns").get<double>()};
    line.paired = interval{told[i].at("ratio_low"), told[i].at("ratio"), told[i].at("ratio_high")};
    line.wanted.max_ratio = what.rows[i].max_ratio;
    result.rows.push_back(std::move(line));
  }
  return result;
}

}  // namespace far::bench
