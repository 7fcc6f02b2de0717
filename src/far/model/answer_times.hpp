#pragma once
// How long ranks take to answer calls, and which target ranks of a batch are better left out of its
// calls.
//
// The messages of a batch are in flight together, so the batch takes as long as the slowest answer.
// A rank that computes delays the whole batch, but its few keys may take less time by one-sided
// operations, while the other ranks answer. So the slowest ranks are left out, as long as their
// one-sided operations take less time than the slowest rank that is still called.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "far/base/language.hpp"

namespace far::model {

/// How to split a batch between calls and one-sided operations.
struct batch_split {
  /// Ranks whose mean answer time is at most this are called.
  double slowest_ns = std::numeric_limits<double>::infinity();
  /// The expected time of the split batch over that of calls to all ranks.
  double share = 1;

  [[nodiscard]] bool leaves_out_some() const noexcept { return share < 1; }
};

/// The cost of many one-sided operations in flight together: first_ns, and key_ns for each key.
struct many_one_sided {
  double first_ns = 0;
  double key_ns = 0;
};

/// The mean answer time of each rank. Threads: one at a time.
class answer_times {
 public:
  /// Adds an answer time to the rank's mean, in which the last few count.
  void observe(std::size_t rank, double ns);
  /// The mean answer time of a rank, in ns; 0 until it has answered.
  [[nodiscard]] double of(std::size_t rank) const noexcept {
    return rank < times_.size() ? times_[rank].mean_ns : 0;
  }
  /// The best split of a batch that has keys[r] keys of rank r. At least the fastest ranks that
  /// have keys are called. Because answer times vary, ranks are left out only if that saves a fifth
  /// of the time. Cost: some ns a rank. Checked by: answer_times_test.who_holds_up_all_is_left_out,
  /// answer_times_test.equals_a_search_of_all_splits
  [[nodiscard]] batch_split best_split(std::span<const std::uint32_t> keys,
                                       const many_one_sided& costs) const noexcept;

 private:
  struct time {
    float mean_ns = 0;
    std::uint32_t count = 0;
  };

  std::vector<time> times_;  // by rank, up to the highest rank that has answered
};

}  // namespace far::model
