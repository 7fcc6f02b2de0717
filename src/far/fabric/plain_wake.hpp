#pragma once
// Wakes ranks of this machine that sleep in a wait for plain memory, sooner than they would look
// again.
//
// It is a hint, for those who change memory by plain instructions: a store that is still in flight
// when the hint is given may be missed, and then the waiter's next look finds it. So it costs who
// changes memory no fence: one load of a line that changes only when ranks go to sleep or wake.

#include <atomic>
#include <cstdint>

#include "far/fabric/fabric.hpp"

namespace far::fabric {

/// Keep one per rank. One that is made of nothing wakes nobody. Threads: any.
class plain_waker {
 public:
  constexpr plain_waker() noexcept = default;
  explicit plain_waker(fabric& own) noexcept;

  /// Words of `rank` have been changed by this thread, by stores or atomics that go around the
  /// verbs. No-op for a rank of another machine. put and amo of a context do the same themselves.
  /// Checked by: await_words_test.hints_do_no_harm
  void changed(int rank) const noexcept {
    if (sleepers_->load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake(rank);
  }

 private:
  void wake(int rank) const noexcept;

  static constexpr std::atomic<std::uint32_t> nobody{0};

  const fabric* own_ = nullptr;
  /// How many threads of the machine sleep so; `nobody` where none needs a hint.
  const std::atomic<std::uint32_t>* sleepers_ = &nobody;
};

}  // namespace far::fabric
