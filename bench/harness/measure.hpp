#pragma once
// Timing of operations beside each other: in turn, round by round, so that a drift of the
// machine's speed hits all alike, and each round in another order, for its speed may come and go
// with a round's period; what is compared are medians.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/statistics.hpp"
#include "far/far.hpp"

namespace far::bench {

/// An operation, and how to do it `count` times in a row.
struct subject {
  std::string name;  ///< for the progress bar
  std::function<void(std::int64_t count)> run;
  /// Before each round, not timed: brings its memory into the caches, whatever ran before.
  std::function<void()> warm_up = {};
};

/// How long to measure. Rounds are short, so that most of them end before another program gets the
/// core.
struct effort {
  int rounds = 81;
  double round_ms = 0.5;  ///< a round of each subject takes at least that
  double warm_up = 0.25;  ///< of a round's operations, so many once more before it, not timed
  /// For costs that are put together from others: the mean of all rounds but the outermost tenths,
  /// rather than the median, which of a sum is not the sum of the medians.
  bool averages = false;
};

/// Processors that this process may use.
[[nodiscard]] int core_count();

/// Moves this process to the rank-th of those. A refusal is no harm: it goes on where it is.
void take_own_core(int rank);

/// Nanoseconds on a steady clock.
[[nodiscard]] double now_ns();

/// Keeps the compiler from leaving out what led to `value`.
template <class T>
inline void keep(const T& value) noexcept {
  asm volatile("" : : "g"(value) : "memory");
}

/// Runs `prepare` on that many ranks, forked from this process, and times the subjects that it
/// returns. All ranks return as many subjects, in the same order, and do the same of them at the
/// same time; on a rank that has nothing to do `run` does nothing. Between two subjects the ranks
/// meet asleep. Where there is a core for each rank, each has its own, as mpirun gives them.
///
/// Returns the nanoseconds per operation of each subject by the clock of rank 0. The first
/// rounds, not counted, find how many operations make a round.
/// Errors: what a rank throws.
std::vector<double> measure_on_processes(int ranks, const std::string& label,
                                         const std::function<std::vector<subject>(world&)>& prepare,
                                         effort how = {});

/// The same on the ranks of a job that has begun, perhaps on several machines: they meet in
/// libfar's barrier, and run on whatever cores they are. Returns the medians by each rank's own
/// clock.
std::vector<double> measure_in_job(world& view, const std::string& label,
                                   const std::vector<subject>& subjects, effort how = {});

/// Memory that this process and those it forks share; zero at first. For what is written by hand,
/// beside libfar's.
class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes);
  ~shared_memory();
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  /// Starts at a page.
  [[nodiscard]] void* data() const noexcept { return data_; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace far::bench
