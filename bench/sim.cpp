// The simulator's speed: operations of all ranks per second of real time, and a job of thousands of
// ranks from start to end.

#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr std::int64_t local_words = 1024;

/// Puts, gets and atomics in turn, at random places of random ranks, each awaited.
void work(world& world, int operations) {
  base::random random(base::mix(static_cast<std::uint64_t>(world.rank())));
  const auto words = allocate<std::uint64_t>(world, local_words);
  barrier(world);
  std::uint64_t sum = 0;
  for (int i = 0; i < operations; ++i) {
    const auto rank = static_cast<int>(random.below(static_cast<std::uint64_t>(world.size())));
    const auto there = words.on(rank) + static_cast<std::int64_t>(random.below(local_words));
    if (i % 3 == 0) {
      put(world, there, sum);
    } else if (i % 3 == 1) {
      sum += get(world, there);
    } else {
      sum += atomic_ref<std::uint64_t>(world, there).fetch_add(1);
    }
  }
  keep(sum);
  barrier(world);
}

/// Nanoseconds of real time per operation of a simulated job. Returns the min over `jobs` jobs: all
/// do the same, and other programs on the core only add time.
double time_of_operation(int ranks, int operations, int jobs) {
  double min = std::numeric_limits<double>::max();
  for (int i = 0; i < jobs; ++i) {
    const double begin = now_ns();
    run({.ranks = ranks, .mode = job_mode::fibers, .profile = "cori-aries"},
        [&](world& world) { work(world, operations); });
    min = std::min(min, (now_ns() - begin) / ranks / operations);
  }
  return min;
}

double time_of_start(int ranks) {
  const double begin = now_ns();
  run({.ranks = ranks, .mode = job_mode::fibers, .profile = "cori-aries"}, [](world& world) {
    barrier(world);
    keep(allreduce(world, world.rank(), std::plus<>()));
  });
  return now_ns() - begin;
}

double max_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

report measure_sim() {
  report result;
  result.measured =
      "sim: the time on one core of this machine to simulate ranks of a Cray. Start: 4096 ranks, a "
      "barrier,\nan allreduce, and the end.";
  struct size {
    int ranks;
    int operations;
    int jobs;
    double max_ns;
  };
  constexpr size sizes[] = {{64, 5000, 25, 500}, {512, 1000, 5, 0}, {4096, 1000, 2, 2000}};
  apps::progress_bar bar("sim");
  std::size_t step = 0;
  bar.update(step++, std::size(sizes) + 1, "start of 4096 ranks");
  const double start = time_of_start(4096);
  const double memory = max_memory_mb();
  for (const size& s : sizes) {
    bar.update(step++, std::size(sizes) + 1, fmt::format("{} ranks", s.ranks));
    const double ns = time_of_operation(s.ranks, s.operations, s.jobs);
    row line{fmt::format("operation, {} ranks", s.ranks), ns, {}, {}, {},
             fmt::format("{:.2f} million/s", 1e3 / ns)};
    if (s.max_ns > 0) line.wanted.max_ns = s.max_ns;
    result.rows.push_back(std::move(line));
  }
  result.rows.push_back(
      {"start, 4096 ranks", start, {}, {}, {.max_ns = 10e9}, fmt::format("{:.0f} MB", memory)});
  return result;
}

const benchmark registered("sim", "speed of the simulator, by number of ranks", measure_sim);

}  // namespace
}  // namespace far::bench
