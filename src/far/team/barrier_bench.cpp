// Barriers of processes, with and without a core for each, next to a baseline in shared memory.

#include <map>
#include <new>

#include <fmt/format.h>

#include "bench/baselines/common.hpp"
#include "bench/baselines/mpi_peers.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/team/team.hpp"

namespace far::bench {
namespace {

constexpr int sizes[] = {2, 4, 8, 16};

std::vector<double> measure_size(int ranks, int cores) {
  const shared_memory memory(sizeof(baseline::barrier));
  auto& plain =
      *new (memory.data()) baseline::barrier(static_cast<std::uint32_t>(ranks), ranks <= cores);
  return measure_on_processes(ranks, fmt::format("barrier of {}", ranks),
                              [&plain](world& world) -> std::vector<subject> {
                                return {{"barrier",
                                         [&world](std::int64_t count) {
                                           for (std::int64_t i = 0; i < count; ++i) barrier(world);
                                         }},
                                        {"barrier by hand", [&plain](std::int64_t count) {
                                           for (std::int64_t i = 0; i < count; ++i) plain.wait();
                                         }}};
                              },
                              {.rounds = 15, .round_ms = 10});
}

report measure_barrier() {
  const int cores = core_count();
  constexpr int rounds = 3;
  mpi_peers peers("barrier");
  std::map<int, std::vector<double>> ours;
  std::map<int, std::vector<double>> plain;
  for (int round = 0; round < rounds; ++round) {
    for (const int ranks : sizes) {
      const auto ns = measure_size(ranks, cores);
      ours[ranks].push_back(ns[0]);
      plain[ranks].push_back(ns[1]);
      if (ranks == 2 || ranks == 8) peers.run(ranks, {"barrier"});
    }
  }

  report result;
  result.measured = fmt::format(
      "barrier: processes that do nothing else, on {} cores; medians of {} rounds. Limit: a "
      "sense-reversing\nbarrier in shared memory that spins where each process has a core, else "
      "yields and then sleeps.",
      cores, rounds);
  for (const int ranks : sizes) {
    row line{fmt::format("barrier of {}", ranks), median(ours[ranks]), median(plain[ranks]),
             peers.of(ranks, "barrier")};
    if (cores == 2 && ranks == 2) line.wanted.max_ns = 1e3;
    if (cores == 2 && ranks == 8) line.wanted.max_ns = 40e3;
    result.rows.push_back(std::move(line));
  }
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("barrier", "barriers of 2, 4, 8 and 16 processes", measure_barrier);

}  // namespace
}  // namespace far::bench
