#pragma once
// Times several operations for comparison: in turn, round by round, so that a drift of the
// machine's speed affects all equally; each round in another order, because the speed may vary with
// the period of a round. Medians are compared.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/harness/statistics.hpp"
#include "far/far.hpp"

namespace far::bench {

/// An operation, and how to repeat it `count` times.
struct subject {
  std::string name;  ///< for the progress bar
  std::function<void(std::int64_t count)> run;
  /// Called before each round, not timed; loads the subject's memory into the caches.
  std::function<void()> warm_up = {};
  /// The nanoseconds of the last run, if the subject measures them itself, without what it prepares
  /// in each run.
  std::function<double()> own_ns = {};
};

/// How long to measure. Rounds are short, so that most of them end before another program gets the
/// core.
struct effort {
  int rounds = 81;
  double round_ms = 0.5;  ///< min duration of a round of each subject
  double warm_up = 0.25;  ///< untimed operations before a round, as a fraction of the round's
  /// For costs that are composed of others: use the mean of all rounds except the highest and
  /// lowest tenth instead of the median, because the median of a sum is not the sum of the medians.
  bool averages = false;
  /// Binds each rank to a core of its own, if there are enough. Not for ranks with several threads.
  bool binds = true;
};

/// The times of subjects, in nanoseconds per operation, round by round.
class round_times {
 public:
  void add(std::string name, std::vector<double> ns) {
    all_.emplace_back(std::move(name), std::move(ns));
  }
  /// Adds the rounds of another measurement of the same subjects.
  /// Errors: std::invalid_argument if they are others.
  void append(const round_times& more);
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return all_.at(i).first; }
  /// In the order of the rounds, so that the times of two subjects are pairs.
  /// Errors: std::out_of_range if there is no such subject.
  [[nodiscard]] const std::vector<double>& of(std::size_t i) const { return all_.at(i).second; }
  [[nodiscard]] const std::vector<double>& of(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::vector<double>>> all_;
};

/// Number of processors that this process may use.
[[nodiscard]] int core_count();

/// Binds this process to the rank-th of those processors. Ignores failure: the process then stays
/// unbound.
void take_own_core(int rank);

/// Nanoseconds on a steady clock.
[[nodiscard]] double now_ns();

/// Keeps the compiler from removing the computation of `value`.
template <class T>
inline void keep(const T& value) noexcept {
  asm volatile("" : : "g"(value) : "memory");
}

/// Runs `prepare` on `ranks` ranks, forked from this process, and times the subjects that it
/// returns. All ranks return equally many subjects, in the same order, and run the same subject at
/// the same time; on a rank that has nothing to do, `run` is a no-op. Between two subjects the
/// ranks meet asleep. If there are enough cores, each rank is bound to its own, as by mpirun.
///
/// Returns the nanoseconds per operation of each subject by the clock of rank 0. The first
/// rounds, not counted, determine the number of operations of a round.
/// Errors: exceptions of a rank.
std::vector<double> measure_on_processes(int ranks, const std::string& label,
                                         const std::function<std::vector<subject>(world&)>& prepare,
                                         effort how = {});

/// As measure_on_processes, but returns the times of each round. Names of subjects
/// have at most 63 characters.
round_times rounds_on_processes(int ranks, const std::string& label,
                                const std::function<std::vector<subject>(world&)>& prepare,
                                effort how = {});

/// The same on the ranks of a running job, perhaps on several machines: they meet in libfar's
/// barrier, and are not bound to cores. Returns the medians by each rank's own clock.
std::vector<double> measure_in_job(world& world, const std::string& label,
                                   const std::vector<subject>& subjects, effort how = {});
round_times rounds_in_job(world& world, const std::string& label,
                          const std::vector<subject>& subjects, effort how = {});

/// Memory that this process shares with the processes that it forks; initially zero. For baselines.
class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes);
  ~shared_memory();
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  /// Page-aligned.
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
