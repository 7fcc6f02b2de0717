// Libfar compared with the one-sided operations of MPI: the same work, in turn.

#include <map>
#include <utility>

#include <fmt/format.h>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/team/team.hpp"

namespace far::bench {
namespace {

constexpr int rounds = 5;

subject barrier_of(world& world) {
  return {"barrier", [&world](std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) barrier(world);
          }};
}

// The same operations at the same places as in peers/mpi_peer.c. MPI's atomics complete with their
// flush, libfar's with the call.

void puts(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<> place;
  for (std::int64_t i = 0; i < count; ++i) {
    put(world, target + place(), static_cast<std::uint64_t>(i));
    flush(world, 1);
  }
}

void gets(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += get(world, target + place());
    flush(world, 1);
  }
  keep(sum);
}

void fetch_adds(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += atomic_ref<std::uint64_t>(world, target + place()).fetch_add(1);
  }
  keep(sum);
}

void compare_swaps(world& world, ptr<std::uint64_t> target, std::int64_t count) {
  random_places<> place;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t found = 0;
    const atomic_ref<std::uint64_t> there(world, target + place());
    there.compare_exchange(found, static_cast<std::uint64_t>(i));
    sum += found;
  }
  keep(sum);
}

std::vector<subject> one_sided(world& world) {
  using count = std::int64_t;
  const auto there = allocate<std::uint64_t>(world, random_places<>::words).on(1);
  std::vector<subject> subjects = {
      {"put", [&world, there](count n) { puts(world, there, n); }},
      {"get", [&world, there](count n) { gets(world, there, n); }},
      {"fetch-and-op", [&world, there](count n) { fetch_adds(world, there, n); }},
      {"compare-and-swap", [&world, there](count n) { compare_swaps(world, there, n); }},
  };
  if (world.rank() != 0) {
    for (subject& s : subjects) s.run = [](std::int64_t) {};
  }
  return subjects;
}

report measure_mpi() {
  // Name of the row, name in the peer's program, number of processes.
  struct compared {
    const char* name;
    const char* operation;
    int ranks;
  };
  constexpr compared all[] = {
      {"put + flush", "put", 2},
      {"get + flush", "get", 2},
      {"fetch-and-op", "fetch_and_op", 2},
      {"compare-and-swap", "compare_and_swap", 2},
      {"barrier, 2 processes", "barrier", 2},
      {"barrier, 8 processes", "barrier", 8},
  };
  mpi_peers peers("mpi");
  std::vector<std::vector<double>> ours(std::size(all));
  const effort short_one{.rounds = 41};
  for (int round = 0; round < rounds; ++round) {
    std::size_t next = 0;
    auto take = [&](const std::vector<double>& ns) {
      for (const double value : ns) ours[next++].push_back(value);
    };
    const auto label = fmt::format("mpi, round {} of {}", round + 1, rounds);
    take(measure_on_processes(
        2, label,
        [](world& world) {
          auto subjects = one_sided(world);
          subjects.push_back(barrier_of(world));
          return subjects;
        },
        short_one));
    peers.run(2, {"put", "get", "fetch_and_op", "compare_and_swap", "barrier"});
    take(measure_on_processes(
        8, label, [](world& world) { return std::vector{barrier_of(world)}; }, short_one));
    peers.run(8, {"barrier"});
  }

  report result;
  result.measured = fmt::format(
      "mpi: compared with MPI-3 one-sided operations on an allocated window, locked once. 8 "
      "bytes at random places in\n8 MB of another process, each complete before the next "
      "begins; medians of {} rounds, ours and theirs in turn.",
      rounds);
  for (std::size_t i = 0; i < std::size(all); ++i) {
    result.rows.push_back({all[i].name,
                           median(ours[i]),
                           {},
                           peers.of(all[i].ranks, all[i].operation),
                           {.ahead_of_peers = true},
                           ""});
  }
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("mpi", "one-sided operations and barriers, against MPI libraries",
                           measure_mpi);

}  // namespace
}  // namespace far::bench
