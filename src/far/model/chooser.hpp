#pragma once
// Chooses between two ways to do the same thing to the memory of other ranks, one-sided and by a
// call, from what either is said to cost and what it is seen to cost.
//
// What is seen, not the model, decides in the end. A one-sided operation costs what the network and
// those who want the same words make it; a call what its target makes it wait. So there are two
// tables of estimates, and each choice is between an entry of the one and an entry of the other.
//
// Targets of calls mostly change together, as ranks of one program compute more or less; and each
// is called too seldom to see it there. So what a call costs is known as what calls of its kind
// cost now, times what this target's have cost more, or less, than those.
//
// The way not chosen is tried now and then, for it may have become the better one, and again at
// once where that turns out surprisingly cheap. What trying costs beyond the chosen way is paid
// from an allowance of 2 % of all time observed, and may leave a debt: over many operations it
// costs no more, however bad the other way is.
//
// One trial is free. Calls are as late as their targets are busy with other things, and ranks of
// one program do alike: when this rank has come to do only half as much between its operations as
// when it last called, what calls cost is not known any more, and one call finds it out.

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

/// What an operation is expected to cost each way, in ns.
struct way_costs {
  double one_sided = 0;
  double call = 0;
};

/// A mean that follows: of all that was observed while there is little, then mostly of the last
/// 32; and of the last few alone, when those are far from what was before.
class estimate {
 public:
  void observe(double ns, std::uint64_t now) noexcept;
  /// In ns; 0 until something has been observed.
  [[nodiscard]] double mean() const noexcept { return mean_; }
  [[nodiscard]] bool is_observed() const noexcept { return count_ != 0; }
  /// How many it is of, up to 32.
  [[nodiscard]] double count() const noexcept { return count_; }
  /// When it was last observed, on the clock of who observes; 0: never.
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  /// The last one was less than half of the mean: perhaps things have changed.
  [[nodiscard]] bool has_surprised() const noexcept { return latest_ < mean_ / 2; }
  [[nodiscard]] double latest() const noexcept { return latest_; }

 private:
  double mean_ = 0;
  double recent_ = 0;
  double latest_ = std::numeric_limits<double>::infinity();
  std::uint64_t last_ = 0;
  std::uint32_t count_ = 0;
};

/// One choice, to be told what it has cost.
struct choice {
  way how = way::one_sided;
  bool explores = false;  ///< it is not the way that seems cheaper
  std::uint32_t one_sided = 0;
  std::uint32_t call = 0;
  double expected_ns = 0;
  bool renews = false;  ///< what calls cost is to be known by it alone
};

/// How often which way was chosen. `explored` ones are counted there as well.
struct choice_counts {
  std::uint64_t one_sided = 0;
  std::uint64_t calls = 0;
  std::uint64_t explored = 0;
  std::uint64_t switched = 0;  ///< times that the other way became the better one
};

/// Threads: any, at the same time. Cost: a lock and a few comparisons.
class chooser {
 public:
  /// Of so many one-sided entries, and calls of any index, of which memory is taken only for those
  /// that were chosen from. Calls whose indices are the same modulo `kinds` are alike; with 0 kinds
  /// each is known by itself. One-sided operations that were not chosen are tried again after so
  /// many choices.
  /// Pairs of entries whose first are the same modulo 32, and their second the same, change ways
  /// together.
  chooser(std::size_t one_sided, std::size_t kinds, std::uint64_t stale_one_sided = 64);

  /// The way for what costs the entries of these indices, `expected` until it has been observed.
  /// `apart_ns`: what this rank has done since its last operation took so long.
  /// The other way takes over when it is 7 % cheaper.
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
    estimate share;             ///< of what its kind cost then
    std::uint32_t by_call = 0;  ///< for each of the other entries, modulo 32: calls are chosen
    std::uint32_t decided = 0;  ///< the same: there was a choice before
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
  std::vector<estimate> alike_;       // of calls, by kind
  std::vector<double> called_apart_;  // the same: `apart_ns_` at the last one
  double apart_ns_ = 0;               // a mean of the last 32 or so
  std::uint64_t now_ = 0;             ///< choices so far
  std::uint64_t stale_one_sided_;
  double allowance_ns_ = 0;
  choice_counts counts_;
};

/// When a rank was last at an operation that it chooses for. Threads: any.
class last_end {
 public:
  void set(std::uint64_t now) noexcept { last_.store(now, std::memory_order_relaxed); }
  /// What it has done since took so long, in ns; 0 before the first.
  [[nodiscard]] double until(std::uint64_t now) const noexcept {
    const std::uint64_t last = last_.load(std::memory_order_relaxed);
    return last == 0 || now < last ? 0 : static_cast<double>(now - last);
  }

 private:
  std::atomic<std::uint64_t> last_ = 0;
};

}  // namespace far::model
