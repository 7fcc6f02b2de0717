// Batches whose keys are at ranks of which some compute and others do not: does automatic choose
// the better way for each part? In simulated machines, whose time is exact.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int ranks = 16;
constexpr int ranks_of_machine = 2;
constexpr const char* machines[] = {"cx4-100g", "cori-aries"};
constexpr std::uint64_t computation_ns = 64'000;   // on average, between two batches
constexpr std::uint64_t learning_ns = 20'000'000;  // not counted: forgets the cell before
constexpr std::uint64_t measured_ns = 25'000'000;
constexpr std::uint64_t keys = 1 << 14;
constexpr std::size_t batches[] = {32, 256};  // keys at once

/// The first `ranks` ranks compute between their batches.
struct computation {
  const char* who;
  int ranks;
};
constexpr computation computed[] = {{"no rank", 0},
                                    {"one rank", 1},
                                    {"one machine", ranks_of_machine},
                                    {"half of them", ranks / 2},
                                    {"all ranks", ranks}};

using map_type = hash_map<std::uint64_t, std::uint64_t>;

struct operation {
  const char* name;
  void (*once)(const map_type::view_type& map, std::span<const std::uint64_t> keys);
};
constexpr operation operations[] = {
    {"find", [](const map_type::view_type& map,
                std::span<const std::uint64_t> some) { keep(map.find_many(some).size()); }},
    {"assign",
     [](const map_type::view_type& map, std::span<const std::uint64_t> some) {
       keep(map.insert_or_assign_many(some, some).size());
     }},
};

constexpr policy ways[] = {policy::automatic, policy::one_sided, policy::rpc};
constexpr std::size_t cells =
    std::size(operations) * std::size(batches) * std::size(computed) * std::size(ways);

/// Nanoseconds per key, the mean of all ranks, without their computation. All ranks run equally
/// long, so that none runs alone at the end.
double measure(world& world, const map_type::view_type& map, const operation& what,
               std::size_t batch, const computation& between) {
  base::random random(base::mix(static_cast<std::uint64_t>(world.rank()) + 1));
  std::vector<std::uint64_t> some(batch);
  double spent = 0;
  double done = 0;
  barrier(world);
  const std::uint64_t start = world.now();
  while (world.now() - start < learning_ns + measured_ns) {
    if (world.rank() < between.ranks) {
      world.compute(computation_ns / 2 + random.below(computation_ns));
    }
    for (std::uint64_t& key : some) key = random.below(keys);
    const std::uint64_t begin = world.now();
    what.once(map, some);
    if (begin - start < learning_ns) continue;
    spent += static_cast<double>(world.now() - begin);
    done += static_cast<double>(batch);
  }
  const double own = done > 0 ? spent / done : 0;
  const double each = allreduce(world, own, std::plus<>()) / world.size();
  return each;
}

/// Returns times in the order operation, batch, computation, way.
std::vector<double> measure_all(world& world, const std::string& machine) {
  apps::progress_settings drawing;
  if (world.rank() != 0) drawing.columns = 0;
  apps::progress_bar bar("split-batches", drawing);
  const map_type map(world, 2 * keys);
  for (std::uint64_t key = 0; key < keys; ++key) {
    if (map.owner(key) == world.rank()) map.insert(key, key);
  }
  std::vector<double> ns;
  for (const operation& what : operations) {
    for (const std::size_t batch : batches) {
      for (const computation& between : computed) {
        for (const policy how : ways) {
          bar.update(ns.size(), cells, machine);
          ns.push_back(measure(world, map.with(how), what, batch, between));
        }
      }
    }
  }
  return ns;
}

void add_rows(report& result, const std::string& machine, const double* ns) {
  for (const operation& what : operations) {
    for (const std::size_t batch : batches) {
      for (const computation& between : computed) {
        row line{fmt::format("{}: {} of {}, {} computes", machine, what.name, batch, between.who),
                 *ns++};
        line.peers["one-sided"] = *ns++;
        line.peers["by calls"] = *ns++;
        line.limit_ns = std::min(line.peers["one-sided"], line.peers["by calls"]);
        line.wanted.max_ratio = 1.1;
        result.rows.push_back(std::move(line));
      }
    }
  }
}

report measure_split_batches() {
  report result;
  result.measured = fmt::format(
      "split-batches: {} ranks of a simulated machine, {} a node, run batches of keys with random "
      "homes; some ranks compute\n{} us between batches, and make no progress then. The time is "
      "per key. far: automatic; limit: the better\nof one-sided and by calls.",
      ranks, ranks_of_machine, computation_ns / 1000);
  for (const char* const machine : machines) {
    std::vector<double> ns;
    run({.ranks = ranks,
         .mode = job_mode::fibers,
         .ranks_per_node = ranks_of_machine,
         .profile = machine},
        [&](world& world) {
          std::vector<double> own = measure_all(world, machine);
          if (world.rank() == 0) ns = std::move(own);
        });
    add_rows(result, machine, ns.data());
  }
  return result;
}

const benchmark registered("split-batches",
                           "batches of keys at ranks of which some compute, one-sided and by calls",
                           measure_split_batches);

}  // namespace
}  // namespace far::bench
