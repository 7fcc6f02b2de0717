#pragma once
// A load: an operation that all ranks, or threads, repeat at the same time. `far bench scaling`
// runs each load plainly, for its rate, and with a clock around each operation, for the longest
// wait.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/harness/measure.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench::scaling {

/// How long the operations of a rank took.
struct waits {
  double longest_ns = 0;
  double sum_ns = 0;
  std::int64_t count = 0;
};

/// One rank's part. `first`: the number of the first operation, so that no number comes twice
/// between two calls of make_ready.
struct load {
  std::string name;
  std::function<void(std::int64_t first, std::int64_t count)> run;
  /// The same, but not after `end_ns`, with a clock around each operation.
  std::function<waits(std::int64_t first, std::int64_t count, double end_ns)> time_each;
  /// Collective: makes room, or values, for so many operations of each rank.
  std::function<void(std::int64_t each)> make_ready = {};
  /// The most operations of each rank for which make_ready has room.
  std::int64_t room = std::numeric_limits<std::int64_t>::max();
  bool collective = false;  ///< all ranks do equally many operations
};

/// The load of once(i) for ascending i. `once` may keep a state: it is copied for both ways.
template <class Once>
load load_of(std::string name, Once once) {
  const auto run = [once](std::int64_t first, std::int64_t count) mutable {
    for (std::int64_t i = first; i < first + count; ++i) once(i);
  };
  // One look at the clock for each operation: its end is the next one's begin.
  const auto time_each = [once](std::int64_t first, std::int64_t count, double end_ns) mutable {
    waits result;
    const double begin = now_ns();
    double before = begin;
    while (result.count < count && before < end_ns) {
      once(first + result.count++);
      const double after = now_ns();
      result.longest_ns = std::max(result.longest_ns, after - before);
      before = after;
    }
    result.sum_ns = before - begin;
    return result;
  };
  return {std::move(name), run, time_each};
}

/// Different for each rank, and for each of its loads.
inline base::random random_of(const world& world, std::uint64_t load) {
  return base::random(base::mix(static_cast<std::uint64_t>(world.rank()) << 8 | load));
}

/// Returns a rank's loads; all ranks return equally many, in the same order.
using loads_of_rank = std::function<std::vector<load>(world&)>;

/// Loads that are measured in one job, after each other.
struct job {
  std::string name;  ///< for the progress bar and for remarks
  job_mode mode;
  /// Called in the process that starts the ranks, and once for each number of them: what threads
  /// share is made here.
  std::function<loads_of_rank(int ranks)> make;
};

// ---- libfar, by processes

std::vector<load> queue_loads(world& world);
std::vector<load> map_loads(world& world);
std::vector<load> word_loads(world& world);
std::vector<load> cached_array_loads(world& world);
std::vector<load> object_loads(world& world);
std::vector<load> lock_loads(world& world);
std::vector<load> rw_lock_loads(world& world);
std::vector<load> accumulate_loads(world& world);
std::vector<load> call_loads(world& world);
std::vector<load> collective_loads(world& world);
std::vector<load> object_barrier_loads(world& world);

// ---- the same by threads of one process

loads_of_rank queues_of_threads(int threads);
loads_of_rank words_of_threads(int threads);
loads_of_rank mutexes_of_threads(int threads);
loads_of_rank queue_locks_of_threads(int threads);
loads_of_rank rw_locks_of_threads(int threads);
loads_of_rank barriers_of_threads(int threads);

// ---- shared by both

/// The words of a rank of which some are accessed at random: 8 MB.
inline constexpr std::uint64_t words_of_rank = std::uint64_t{1} << 20;

/// A load that acquires and releases `lock`.
template <class Lock>
load holds(std::string name, Lock& lock) {
  return load_of(std::move(name), [&lock](std::int64_t) {
    lock.lock();
    lock.unlock();
  });
}

/// Adds loads with different shares of writers, in percent.
template <class Lock>
void add_shares(std::vector<load>& loads, const world& world, const std::string& name, Lock& lock) {
  for (const std::uint64_t writers : {0u, 2u, 20u, 100u}) {
    loads.push_back(
        load_of(name + ", " + std::to_string(writers) + " % writers",
                [&lock, writers, random = random_of(world, writers)](std::int64_t) mutable {
                  if (random.below(100) < writers) {
                    lock.lock();
                    lock.unlock();
                  } else {
                    lock.lock_shared();
                    lock.unlock_shared();
                  }
                }));
  }
}

/// A load of which each operation is one of all ranks together.
template <class Once>
load collective_load_of(std::string name, Once once) {
  load result = load_of(std::move(name), std::move(once));
  result.collective = true;
  return result;
}

/// Lets the loads own what they use. Ranks that leave it do so in the same order.
template <class State>
std::vector<load> owning(std::shared_ptr<State> state, std::vector<load> loads) {
  for (load& l : loads) {
    l.run = [state, run = std::move(l.run)](std::int64_t first, std::int64_t count) {
      run(first, count);
    };
  }
  return loads;
}

/// Room for `all` operations of all ranks together, the warm-up's included.
inline std::int64_t room_of_each(std::uint64_t all, const world& world) {
  return static_cast<std::int64_t>(all / static_cast<std::uint64_t>(world.size()));
}

}  // namespace far::bench::scaling
