#pragma once
// Accesses to arrays on a simulated machine, one job for each measurement.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// What the threads of a job did, by its clock.
class access_log {
 public:
  /// One thread's accesses, one after another.
  void add(std::uint64_t begin_ns, std::uint64_t end_ns, std::uint64_t accesses) {
    begin_ = std::min(begin_, begin_ns);
    end_ = std::max(end_, end_ns);
    spent_ += static_cast<double>(end_ns - begin_ns);
    accesses_ += static_cast<double>(accesses);
  }
  /// Nanoseconds between two accesses of all threads: the inverse of their throughput, from the
  /// first thread's begin to the last one's end.
  [[nodiscard]] double between() const {
    return accesses_ > 0 ? static_cast<double>(end_ - begin_) / accesses_ : 0;
  }
  /// Nanoseconds of one access, the mean over all.
  [[nodiscard]] double mean() const { return accesses_ > 0 ? spent_ / accesses_ : 0; }

 private:
  std::uint64_t begin_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end_ = 0;
  double spent_ = 0;
  double accesses_ = 0;
};

/// Where a measurement takes place: nodes of one rank each.
struct array_place {
  int nodes = 1;
  int threads = 1;  ///< of each node
};

/// One rank's part: makes an array, and runs `threads` threads that access it.
using array_load = std::function<void(world&, int threads, access_log&)>;

class array_jobs : public simulated_jobs {
 public:
  array_jobs(std::string profile, std::size_t steps)
      : simulated_jobs("paper-c", std::move(profile), steps) {}

  access_log measure(const array_place& at, const std::string& what, const array_load& load) {
    constexpr int other_contexts = 2;  // of the rank's first thread and its service thread
    access_log log;
    run_options how;
    how.ranks = at.nodes;
    how.ranks_per_node = 1;
    how.max_contexts = at.threads + other_contexts;
    run(what + ", " + std::to_string(at.nodes) + " nodes, " + std::to_string(at.threads) +
            " threads",
        how, [&](world& world) { load(world, at.threads, log); });
    return log;
  }
};

}  // namespace far::bench
