// Libfar compared with Open MPI's one-sided operations, over TCP between two hosts: network
// namespaces of this machine that test/hosts/hosts.sh creates. far and Open MPI's program run there
// in turn. far runs this benchmark again there: in a job, it runs its ranks' part.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/two_hosts.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int rounds = 5;
constexpr int limit_s = 120;  // of one run

// Name of the row and name in the peer's program, in the order of subjects_of.
constexpr std::pair<const char*, const char*> compared[] = {
    {"put + flush", "put"},
    {"get + flush", "get"},
    {"fetch-and-op", "fetch_and_op"},
    {"compare-and-swap", "compare_and_swap"},
    {"8 bytes there and back", "round_trip"},
    {"barrier", "barrier"},
};

// The same operations at the same places as in peers/mpi_peer.c. Libfar's put and get are complete
// when they return.
std::vector<subject> subjects_of(world& world) {
  const auto there = allocate<std::uint64_t>(world, random_places<>::words).on(1);
  const auto by_rank_0 = [&world](auto operation) {
    return [&world, operation](std::int64_t count) {
      random_places<> place;
      for (std::int64_t i = 0; world.rank() == 0 && i < count; ++i) operation(place(), i);
    };
  };
  return {
      {"put", by_rank_0([&world, there](std::int64_t at, std::int64_t i) {
         put(world, there + at, static_cast<std::uint64_t>(i));
       })},
      {"get",
       by_rank_0([&world, there](std::int64_t at, std::int64_t) { keep(get(world, there + at)); })},
      {"fetch-and-op", by_rank_0([&world, there](std::int64_t at, std::int64_t) {
         keep(atomic_ref(world, there + at).fetch_add(1));
       })},
      {"compare-and-swap", by_rank_0([&world, there](std::int64_t at, std::int64_t i) {
         std::uint64_t found = 0;
         atomic_ref(world, there + at).compare_exchange(found, static_cast<std::uint64_t>(i));
         keep(found);
       })},
      {"rpc", by_rank_0([&world](std::int64_t, std::int64_t i) {
         keep(rpc(
                  world, 1, [](std::int64_t value) { return value; }, i)
                  .get());
       })},
      {"barrier",
       [&world](std::int64_t count) {
         for (std::int64_t i = 0; i < count; ++i) barrier(world);
       }},
  };
}

report measure_part() {
  report result;
  run([&](world& world) {
    if (world.size() != 2) throw bad_argument("the benchmark hosts wants 2 ranks");
    const auto ns =
        measure_in_job(world, "hosts", subjects_of(world), {.rounds = 11, .round_ms = 20});
    if (world.rank() != 0) return;
    result.measured = fmt::format("hosts: two ranks of a job; {}.", world.fabric().name());
    for (std::size_t i = 0; i < ns.size(); ++i) result.rows.push_back({compared[i].first, ns[i]});
  });
  return result;
}

// Runs this benchmark on two hosts; returns its times in the order of the rows.
std::vector<double> times_of_far(const two_hosts& hosts) {
  std::vector<double> times;
  for (const auto& line : hosts.run_benchmark("hosts", {})) times.push_back(line.at("ns"));
  if (times.size() != std::size(compared)) throw error("far on two hosts measured something else");
  return times;
}

report measure_hosts() {
  if (fabric::in_job()) return measure_part();

  report result;
  result.measured = fmt::format(
      "hosts: over TCP between two network namespaces, each with a rank that is not bound to a "
      "core. 8 bytes at\nrandom places in 8 MB of the other, each complete before the next "
      "begins; the target waits in its library.\nMedians of {} rounds, ours and theirs in turn.",
      rounds);
  const two_hosts hosts(limit_s);
  if (const std::string why = hosts.obstacle(); !why.empty()) {
    result.remarks.push_back(fmt::format("Not measured: {}.", why));
    return result;
  }

  mpi_peers peers("hosts", hosts.launcher());
  std::vector<std::vector<double>> ours(std::size(compared));
  for (int round = 0; round < rounds; ++round) {
    const auto ns = times_of_far(hosts);
    for (std::size_t i = 0; i < ns.size(); ++i) ours[i].push_back(ns[i]);
    std::vector<std::string> operations;
    for (const auto& [_, operation] : compared) operations.emplace_back(operation);
    peers.run(2, operations);
  }
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    result.rows.push_back({compared[i].first,
                           median(ours[i]),
                           {},
                           peers.of(2, compared[i].second),
                           {.ahead_of_peers = true},
                           ""});
  }
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("hosts", "one-sided operations between two hosts, against Open MPI",
                           measure_hosts);

}  // namespace
}  // namespace far::bench
