#pragma once
// Chooses between two ways to perform an operation on the memory of other ranks, one-sided and by a
// call, from their expected and their observed costs.
//
// In the end the observed costs decide, not the model. The cost of a one-sided operation depends on
// the network and on contention for the same words; the cost of a call depends on how long its
// target makes it wait. So there are two tables of estimates, and each choice is between an entry
// of one and an entry of the other.
//
// The targets of calls mostly change together, because the ranks of a program compute more or less
// at the same times; and each target is called too rarely to observe a change there. So the
// estimate of a call is the present cost of calls of its kind, times the ratio between this
// target's cost and that of its kind.
//
// The way that is not chosen is tried now and then, because it may have become the better one. If
// such a trial is surprisingly cheap, it is repeated at once. The extra cost of trials is paid from
// an allowance of 2 % of all time observed. The allowance may become negative, so over many
// operations trials cost no more than that, however bad the other way is.
//
// One kind of trial is free. Calls wait while their targets are busy with other work, and the ranks
// of a program behave alike. So when this rank's time between operations has fallen to half of what
// it was at its last call, the cost of calls is taken to be unknown, and one call measures it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "far/base/language.hpp"

namespace far::model {

enum class way : std::uint8_t { one_sided, call };

/// The expected cost of an operation each way, in ns.
struct way_costs {
  double one_sided = 0;
  double call = 0;
};

/// A moving mean: of all observations at first, then mostly of the last 32. If the last few differ
/// much from those before, the mean of the last few only.
class estimate {
 public:
  void observe(double ns, std::uint64_t now) noexcept;
  /// The mean in ns; 0 until something has been observed.
  [[nodiscard]] double mean() const noexcept { return mean_; }
  [[nodiscard]] bool is_observed() const noexcept { return count_ != 0; }
  /// Number of observations in the mean, up to 32.
  [[nodiscard]] double count() const noexcept { return count_; }
  /// Time of the last observation, on the clock of the caller of observe; 0: never.
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  /// The last observation was less than half of the mean, so the cost may have changed.
  [[nodiscard]] bool has_surprised() const noexcept { return latest_ < mean_ / 2; }
  [[nodiscard]] double latest() const noexcept { return latest_; }

 private:
  double mean_ = 0;
  double recent_ = 0;
  double latest_ = std::numeric_limits<double>::infinity();
  std::uint64_t last_ = 0;
  std::uint32_t count_ = 0;
};

/// One choice. The caller reports its cost to chooser::observe.
struct choice {
  way how = way::one_sided;
  bool explores = false;  ///< a trial of the way that seems more expensive
  std::uint32_t one_sided = 0;
  std::uint32_t call = 0;
  double expected_ns = 0;
  bool renews = false;  ///< its cost replaces the estimate of calls
};

/// How often each way was chosen.
struct choice_counts {
  std::uint64_t one_sided = 0;
  std::uint64_t calls = 0;
  std::uint64_t explored = 0;  ///< trials; they are counted as one_sided or calls, too
  std::uint64_t switched = 0;  ///< how often the other way became the better one
};

/// Threads: any, at the same time. Cost: a lock and a few comparisons.
class chooser {
 public:
  /// `one_sided`: the number of one-sided entries. Calls may have any index; only those that are
  /// used take memory. Calls whose indices are equal modulo `kinds` are of one kind; with 0 kinds
  /// each call is estimated by itself. `stale_one_sided`: one-sided operations that were not chosen
  /// are tried again after so many choices.
  /// Pairs with the same call, and with one-sided entries that are equal modulo 32, change ways
  /// together.
  chooser(std::size_t one_sided, std::size_t kinds, std::uint64_t stale_one_sided = 64);

  /// Chooses the way of an operation whose costs are the entries of these indices. `expected` is
  /// used for costs that have not been observed. `apart_ns`: the time since this rank's last
  /// operation. The other way is chosen when it is 7 % cheaper.
  /// Checked by: chooser_test.the_cheaper_way_is_chosen, chooser_test.a_small_gain_changes_nothing,
  /// chooser_test.trying_costs_little, chooser_test.what_has_become_better_is_found,
  /// chooser_test.calls_are_tried_when_a_rank_does_less_itself
  [[nodiscard]] choice choose(std::uint32_t one_sided, std::uint32_t call,
                              const way_costs& expected, double apart_ns = 0);
  void observe(const choice& chosen, double ns);

  [[nodiscard]] choice_counts counted() const;
  [[nodiscard]] estimate one_sided(std::size_t index) const;
  [[nodiscard]] estimate call(std::size_t index) const;

 private:
  struct call_entry {
    estimate cost;
    estimate share;             ///< this call's cost over that of its kind at the time
    std::uint32_t by_call = 0;  ///< a bit for each one-sided entry, modulo 32: the call is chosen
    std::uint32_t decided = 0;  ///< the same bits: there was an earlier choice
  };

  [[nodiscard]] const estimate& kind_of(std::uint32_t call, const call_entry& entry) const noexcept;
  [[nodiscard]] static double cost_of(const call_entry& entry, const estimate& kind,
                                      double expected) noexcept;
  [[nodiscard]] bool has_less_between(std::uint32_t call) const noexcept;
  [[nodiscard]] static double share_of(const call_entry& entry, const estimate& kind,
                                       double ns) noexcept;

  mutable std::mutex mutex_;
  std::vector<estimate> one_sided_;
  std::unordered_map<std::size_t, call_entry> calls_;
  std::vector<estimate> alike_;       // cost of calls, by kind
  std::vector<double> called_apart_;  // `apart_ns_` at the last call, by kind
  double apart_ns_ = 0;               // mean time between operations, of the last 32 or so
  std::uint64_t now_ = 0;             ///< choices so far
  std::uint64_t stale_one_sided_;
  double allowance_ns_ = 0;
  choice_counts counts_;
};

/// When a rank's last operation with a choice ended. Threads: any.
class last_end {
 public:
  void set(std::uint64_t now) noexcept { last_.store(now, std::memory_order_relaxed); }
  /// The time since then, in ns; 0 before the first.
  [[nodiscard]] double until(std::uint64_t now) const noexcept {
    const std::uint64_t last = last_.load(std::memory_order_relaxed);
    return last == 0 || now < last ? 0 : static_cast<double>(now - last);
  }

 private:
  std::atomic<std::uint64_t> last_ = 0;
};

}  // namespace far::model
