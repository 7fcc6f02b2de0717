#pragma once
// Locks on a simulated machine, one job for each measurement.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "apps/common/progress.hpp"
#include "bench/papers/lock_loads.hpp"
#include "far/far.hpp"

namespace far::bench {

/// A rank's part of a measurement: creates the lock and runs the load.
using lock_run = std::function<void(world&, const lock_work&, lock_log&)>;

template <class Lock, class... Arguments>
lock_run lock_with(Arguments... arguments) {
  return [=](world& view, const lock_work& work, lock_log& log) {
    Lock lock(view, arguments...);
    const auto words = allocate<std::uint64_t>(view);
    load_lock(view, lock, words.on(0), work, log);
    deallocate(view, words);
  };
}

/// Runs jobs and shows progress.
class lock_jobs {
 public:
  explicit lock_jobs(std::string profile) : profile_(std::move(profile)), bar_("locks") {}

  /// Runs collective code on `ranks` ranks; the code itself stores its results.
  void run_on(int ranks, const std::string& what, const std::function<void(world&)>& body) {
    bar_.update(step_++, 0, what + ", " + std::to_string(ranks) + " ranks");
    run({.ranks = ranks, .mode = job_mode::fibers, .profile = profile_}, body);
  }

  /// Returns the mean over `seeds` seeds, from `work.seed` on.
  lock_times measure(int ranks, const std::string& what, const lock_run& lock, lock_work work,
                     int seeds = 1) {
    std::vector<lock_times> runs;
    for (int i = 0; i < seeds; ++i, ++work.seed) {
      lock_log log;
      run_on(ranks, what, [&](world& view) { lock(view, work, log); });
      runs.push_back(log.times());
    }
    return mean_of(runs);
  }

  [[nodiscard]] const std::string& profile() const noexcept { return profile_; }

 private:
  std::string profile_;
  std::size_t step_ = 0;
  apps::progress_bar bar_;
};

}  // namespace far::bench
