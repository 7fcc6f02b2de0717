#pragma once
// The loads that measure a lock, after rma-locks, section 5: each rank acquires and releases it a
// fixed number of times, and does some work inside or after the critical section, or none.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {

enum class lock_load : std::uint8_t {
  empty,        ///< nothing: the paper's LB and ECSB
  one_access,   ///< inside, a get (by a writer a put) of a word at rank 0: SOB
  work_inside,  ///< inside, read (by a writer increment) a shared counter, compute 1 to 4 us: WCSB
  work_after    ///< compute 1 to 4 us after the release: WARB
};

struct lock_work {
  lock_load load = lock_load::empty;
  int operations = 32;  ///< of each rank
  double writers = 1;   ///< the probability that an operation is a write
  std::uint64_t seed = 1;
  std::vector<double> phases = {};  ///< if not empty, shares instead of `writers`, in sequence
};

/// Measured times in nanoseconds, without the first tenth of all operations.
struct lock_times {
  double between = 0;  ///< between consecutive operations of all ranks: the inverse of throughput
  double mean = 0;     ///< to acquire and release
  double readers = 0;  ///< the same for readers; 0 if there were none
  double writers = 0;
};

/// The operations of all ranks, timed by a shared clock.
class lock_log {
 public:
  struct operation {
    std::uint64_t end_ns;
    std::uint64_t ns;  ///< to acquire and release
    bool writes;
  };

  void add(const operation& done) { done_.push_back(done); }
  [[nodiscard]] lock_times times() const;

 private:
  std::vector<operation> done_;
};

/// The means over runs.
[[nodiscard]] lock_times mean_of(const std::vector<lock_times>& runs);

/// Runs one rank's part; `word` is at rank 0, and the same for all ranks. Ranks begin at random
/// times within 10 us, so that no rank is always first.
template <class Lock>
void load_lock(world& world, Lock& lock, ptr<std::uint64_t> word, const lock_work& work,
               lock_log& log) {
  constexpr bool shares = requires { lock.lock_shared(); };
  constexpr std::uint64_t jitter_ns = 10'000;
  constexpr std::uint64_t min_work_ns = 1000;
  constexpr std::uint64_t more_work_ns = 3001;
  base::random random(base::mix(static_cast<std::uint64_t>(world.rank()) + (work.seed << 32)));
  const auto compute = [&] { world.compute(min_work_ns + random.below(more_work_ns)); };
  const auto inside = [&](bool writes) {
    switch (work.load) {
      case lock_load::one_access:
        writes ? put(world, word, random()) : static_cast<void>(get(world, word));
        break;
      case lock_load::work_inside: {
        const std::uint64_t count = get(world, word);
        if (writes) put(world, word, count + 1);
        compute();
        break;
      }
      case lock_load::empty:
      case lock_load::work_after:
        break;
    }
  };

  barrier(world);
  world.compute(random.below(jitter_ns));
  const auto writers_at = [&](int i) {
    const auto phase = static_cast<std::size_t>(i) * work.phases.size();
    return work.phases.empty() ? work.writers
                               : work.phases[phase / static_cast<std::size_t>(work.operations)];
  };
  for (int i = 0; i < work.operations; ++i) {
    const bool writes = random.below(1'000'000) < static_cast<std::uint64_t>(writers_at(i) * 1e6);
    const std::uint64_t begin = world.now();
    std::uint64_t taken = 0;
    std::uint64_t leaves = 0;
    if (!shares || writes) {
      lock.lock();
      taken = world.now();
      inside(writes);
      leaves = world.now();
      lock.unlock();
    } else if constexpr (shares) {
      lock.lock_shared();
      taken = world.now();
      inside(writes);
      leaves = world.now();
      lock.unlock_shared();
    }
    const std::uint64_t end = world.now();
    log.add({end, taken - begin + (end - leaves), writes});
    if (work.load == lock_load::work_after) compute();
  }
  barrier(world);
}

}  // namespace far::bench
