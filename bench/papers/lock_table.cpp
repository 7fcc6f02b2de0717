// A hashtable's volume that all other ranks access, with and without locks (rma-locks, figure 6;
// row B8).

#include "bench/papers/lock_table.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bench/baselines/mpi_rw_lock.hpp"
#include "bench/papers/lock_figures.hpp"

namespace far::bench {
namespace {

constexpr std::uint64_t slots = 4096;
constexpr std::uint64_t keys = 2 * slots;  // half as many are inserted at first
constexpr double shares[] = {0, 0.02, 0.05, 0.2};

int operations_of(int ranks) { return std::clamp((1 << 13) / ranks, 8, 64); }

/// From the first begin to the last end, of all ranks except the volume's.
struct span_of_time {
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
};

/// Runs one rank's part: a random sequence of `insert(volume, key)` and `find(volume, key)`.
template <class Insert, class Find>
void work_on(world& world, double writers, std::uint64_t seed, span_of_time& spent, Insert insert,
             Find find) {
  const int operations = operations_of(world.size());
  const table_volume volume(
      world, slots,
      keys + static_cast<std::uint64_t>(operations) * static_cast<std::uint64_t>(world.size()));
  base::random random(base::mix(static_cast<std::uint64_t>(world.rank()) + (seed << 32)));
  if (world.rank() == 0) {
    for (std::uint64_t i = 0; i < keys / 2; ++i) volume.insert_alone(1 + random.below(keys));
  }
  barrier(world);
  if (world.rank() != 0) {
    spent.begin = std::min(spent.begin, world.now());
    for (int i = 0; i < operations; ++i) {
      const bool writes = random.below(1'000'000) < static_cast<std::uint64_t>(writers * 1e6);
      const std::uint64_t key = 1 + random.below(keys);
      writes ? insert(volume, key) : find(volume, key);
    }
    spent.end = std::max(spent.end, world.now());
  }
  barrier(world);
}

using part = std::function<void(world&, double, std::uint64_t, span_of_time&)>;

void by_atomics(world& world, double writers, std::uint64_t seed, span_of_time& spent) {
  work_on(
      world, writers, seed, spent,
      [](const table_volume& volume, std::uint64_t key) { volume.insert(key); },
      [](const table_volume& volume, std::uint64_t key) { (void)volume.contains(key); });
}

template <class Lock, class... Arguments>
part under(Arguments... arguments) {
  return [=](world& world, double writers, std::uint64_t seed, span_of_time& spent) {
    Lock lock(world, arguments...);
    work_on(
        world, writers, seed, spent,
        [&](const table_volume& volume, std::uint64_t key) {
          lock.lock();
          volume.insert_alone(key);
          lock.unlock();
        },
        [&](const table_volume& volume, std::uint64_t key) {
          lock.lock_shared();
          (void)volume.contains(key);
          lock.unlock_shared();
        });
  };
}

struct way {
  const char* name;
  part run;
};

}  // namespace

std::vector<figure> table_figures(lock_jobs& on, const lock_places& at) {
  const way ways[] = {{lock_names::atomics, by_atomics},
                      {lock_names::mpi, under<mpi_rw_lock>(0, back_off::none)},
                      {lock_names::mpi_best, under<mpi_rw_lock>(0, back_off::best)},
                      {lock_names::rw, under<rw_lock>()}};
  std::vector<figure> result;
  for (const double share : shares) {
    figure times{fmt::format("locks-figure-6-{:g}", share * 100),
                 fmt::format("Figure 6: a hashtable's volume, {:g} % inserts, until all ranks are "
                             "done; lower is better",
                             share * 100),
                 "ranks"};
    times.note = fmt::format("Operations of a rank: {} to {}", operations_of(at.ranks.front()),
                             operations_of(at.ranks.back()));
    for (const int n : at.ranks) times.places.push_back(std::to_string(n));
    for (const way& w : ways) {
      curve total{w.name, {}};
      for (const int ranks : at.ranks) {
        double sum = 0;
        for (int seed = 1; seed <= at.seeds; ++seed) {
          span_of_time spent;
          on.run_on(ranks, fmt::format("hashtable, {}", w.name), [&](world& world) {
            w.run(world, share, static_cast<std::uint64_t>(seed), spent);
          });
          sum += static_cast<double>(spent.end - spent.begin);
        }
        total.ns.push_back(sum / at.seeds);
      }
      times.curves.push_back(std::move(total));
    }
    result.push_back(std::move(times));
  }
  return result;
}

}  // namespace far::bench
