#pragma once
// What ranks do with a lock to measure it, after rma-locks, section 5: each takes it and releases
// it a fixed number of times, and does something in it or after it, or nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/base/random.hpp"
#include "far/far.hpp"

namespace far::bench {

enum class lock_load : std::uint8_t {
  empty,        ///< nothing: the paper's LB and ECSB
  one_access,   ///< a get inside, or a writer's put, of a word at rank 0: SOB
  work_inside,  ///< a shared counter is read, by a writer increased, and 1 to 4 us computed: WCSB
  work_after    ///< 1 to 4 us computed after the release: WARB
};

struct lock_work {
  lock_load load = lock_load::empty;
  int operations = 32;  ///< of each rank
  double writers = 1;   ///< the share of operations that are writes; each is drawn
  std::uint64_t seed = 1;
  std::vector<double> phases = {};  ///< instead of `writers`, one after the other
};

/// What was measured, without the first tenth of all operations. Nanoseconds.
struct lock_times {
  double between = 0;  ///< from one operation to the next, of all ranks: throughput is its inverse
  double mean = 0;     ///< to acquire and release
  double readers = 0;  ///< the same of readers, 0 where there were none
  double writers = 0;
};

/// The operations of all ranks, by a clock that they share.
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

/// The mean over runs.
[[nodiscard]] lock_times mean_of(const std::vector<lock_times>& runs);

/// One rank's part; `word`: at rank 0, the same for all. Ranks begin within the time of an
/// operation on a lock that nobody else wants, so that none comes first each time.
template <class Lock>
void load_lock(world& view, Lock& lock, ptr<std::uint64_t> word, const lock_work& work,
               lock_log& log) {
  constexpr bool shares = requires { lock.lock_shared(); };
  constexpr std::uint64_t jitter_ns = 10'000;
  constexpr std::uint64_t least_work_ns = 1000;
  constexpr std::uint64_t more_work_ns = 3001;
  base::random random(base::mix(static_cast<std::uint64_t>(view.rank()) + (work.seed << 32)));
  const auto compute = [&] { view.compute(least_work_ns + random.below(more_work_ns)); };
  const auto inside = [&](bool writes) {
    switch (work.load) {
      case lock_load::one_access:
        writes ? put(view, word, random()) : static_cast<void>(get(view, word));
        break;
      case lock_load::work_inside: {
        const std::uint64_t count = get(view, word);
        if (writes) put(view, word, count + 1);
        compute();
        break;
      }
      case lock_load::empty:
      case lock_load::work_after:
        break;
    }
  };

  barrier(view);
  view.compute(random.below(jitter_ns));
  const auto writers_at = [&](int i) {
    const auto phase = static_cast<std::size_t>(i) * work.phases.size();
    return work.phases.empty() ? work.writers
                               : work.phases[phase / static_cast<std::size_t>(work.operations)];
  };
  for (int i = 0; i < work.operations; ++i) {
    const bool writes = random.below(1'000'000) < static_cast<std::uint64_t>(writers_at(i) * 1e6);
    const std::uint64_t begin = view.now();
    std::uint64_t taken = 0;
    std::uint64_t leaves = 0;
    if (!shares || writes) {
      lock.lock();
      taken = view.now();
      inside(writes);
      leaves = view.now();
      lock.unlock();
    } else if constexpr (shares) {
      lock.lock_shared();
      taken = view.now();
      inside(writes);
      leaves = view.now();
      lock.unlock_shared();
    }
    const std::uint64_t end = view.now();
    log.add({end, taken - begin + (end - leaves), writes});
    if (work.load == lock_load::work_after) compute();
  }
  barrier(view);
}

}  // namespace far::bench
