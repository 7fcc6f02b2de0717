#pragma once
// Locks on a simulated machine, one job for each measurement.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/papers/lock_loads.hpp"
#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// A rank's part of a measurement: creates the lock and runs the load.
using lock_run = std::function<void(world&, const lock_work&, lock_log&)>;

template <class Lock, class... Arguments>
lock_run lock_with(Arguments... arguments) {
  return [=](world& world, const lock_work& work, lock_log& log) {
    Lock lock(world, arguments...);
    const auto words = allocate<std::uint64_t>(world);
    load_lock(world, lock, words.on(0), work, log);
    deallocate(world, words);
  };
}

class lock_jobs : public simulated_jobs {
 public:
  explicit lock_jobs(std::string profile) : simulated_jobs("locks", std::move(profile), 0) {}

  void run_on(int ranks, const std::string& what, const std::function<void(world&)>& body) {
    run(what + ", " + std::to_string(ranks) + " ranks", {.ranks = ranks}, body);
  }

  /// Returns the mean over `seeds` seeds, from `work.seed` on.
  lock_times measure(int ranks, const std::string& what, const lock_run& lock, lock_work work,
                     int seeds = 1) {
    std::vector<lock_times> runs;
    for (int i = 0; i < seeds; ++i, ++work.seed) {
      lock_log log;
      run_on(ranks, what, [&](world& world) { lock(world, work, log); });
      runs.push_back(log.times());
    }
    return mean_of(runs);
  }
};

}  // namespace far::bench
