#pragma once
// How long ranks take to answer, and which of those that a batch concerns it had better not call.
//
// The messages of a batch are under way together, so it takes as long as the slowest answer. A rank
// that computes holds up all; the few keys that it has may take less time one-sided, while the
// others work. So ranks are left out from the slowest on, as long as what that adds one-sided is
// less than the wait for the next one.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "far/base/language.hpp"

namespace far::model {

/// The ranks that are called are those that answer within so long.
struct batch_split {
  double slowest_ns = std::numeric_limits<double>::infinity();
  /// Of the time that calls to all would take.
  double share = 1;

  [[nodiscard]] bool leaves_out_some() const noexcept { return share < 1; }
};

/// One-sided operations that many at a time take so long: the first, and each more.
struct many_one_sided {
  double first_ns = 0;
  double key_ns = 0;
};

/// Threads: one at a time.
class answer_times {
 public:
  /// A mean of the last few.
  void observe(std::size_t rank, double ns);
  /// 0 until it has answered.
  [[nodiscard]] double of(std::size_t rank) const noexcept {
    return rank < times_.size() ? times_[rank].mean_ns : 0;
  }
  /// For a batch of so many keys of each rank. Some are called always: those with keys that answer
  /// soonest. Only what saves a fifth leaves any out, for answers vary.
  /// Cost: some ns a rank.
  /// Checked by: answer_times_test.who_holds_up_all_is_left_out,
  /// answer_times_test.equals_a_search_of_all_splits
  [[nodiscard]] batch_split best_split(std::span<const std::uint32_t> keys,
                                       const many_one_sided& costs) const noexcept;

 private:
  struct time {
    float mean_ns = 0;
    std::uint32_t count = 0;
  };

  std::vector<time> times_;  // up to the last rank that has answered
};

}  // namespace far::model
