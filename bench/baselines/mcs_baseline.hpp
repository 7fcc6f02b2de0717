#pragma once
// A queue lock by hand, for threads of one process.

#include <sched.h>

#include <atomic>

#include "bench/baselines/common.hpp"

namespace far::bench::baseline {

/// Each thread waits on a cache line of its own, and is served in the order of arrival. If each has
/// a core, it spins; otherwise it yields.
/// Source: J. Mellor-Crummey, M. Scott, Algorithms for scalable synchronization on shared-memory
///   multiprocessors, 1991.
class mcs_mutex {
 public:
  explicit mcs_mutex(bool core_for_each) noexcept : core_for_each_(core_for_each) {}

  struct alignas(128) node {
    std::atomic<node*> next{nullptr};
    std::atomic<bool> waits{false};
  };

  void lock(node& mine) noexcept {
    mine.next.store(nullptr, std::memory_order_relaxed);
    node* const before = last_.exchange(&mine, std::memory_order_acq_rel);
    if (before == nullptr) return;
    mine.waits.store(true, std::memory_order_relaxed);
    before->next.store(&mine, std::memory_order_release);
    wait_until([&] { return !mine.waits.load(std::memory_order_acquire); });
  }
  void unlock(node& mine) noexcept {
    node* next = mine.next.load(std::memory_order_acquire);
    if (next == nullptr) {
      node* expected = &mine;
      if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_release,
                                        std::memory_order_relaxed)) {
        return;
      }
      // Somebody has exchanged last_, and will soon say who.
      wait_until([&] { return (next = mine.next.load(std::memory_order_acquire)) != nullptr; });
    }
    next->waits.store(false, std::memory_order_release);
  }

 private:
  template <class Ready>
  void wait_until(Ready ready) const noexcept {
    if (core_for_each_) return spin_until(ready);
    while (!ready()) sched_yield();
  }

  std::atomic<node*> last_{nullptr};
  bool core_for_each_;
};

}  // namespace far::bench::baseline
