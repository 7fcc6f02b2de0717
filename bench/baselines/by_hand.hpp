#pragma once
// What one would write by hand in memory that processes share, to compare libfar with: nothing
// here knows of libfar. Each waits as suits the machine, for there may be more processes than
// cores.

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace far::bench::by_hand {

/// Tells the core that this is a loop that waits.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins; lets others run once that has lasted long enough for another to be on this core.
template <class Ready>
inline void spin_until(Ready ready) noexcept {
  for (int spins = 0; !ready(); ++spins) {
    if (spins < 20000) {
      relax();
    } else {
      sched_yield();
    }
  }
}

/// Two cache lines, each written by one of two processes. Lies in shared memory, zero at first.
struct ping_pong {
  alignas(128) std::atomic<std::uint64_t> ping{0};
  alignas(128) std::atomic<std::uint64_t> pong{0};

  /// One round trip; `turn` counts them from 1. Side 0 begins and sees the answer.
  void exchange(int side, std::uint64_t turn) noexcept {
    const auto await = [turn](const std::atomic<std::uint64_t>& word) {
      spin_until([&] { return word.load(std::memory_order_acquire) == turn; });
    };
    if (side == 0) {
      ping.store(turn, std::memory_order_release);
      await(pong);
    } else {
      await(ping);
      pong.store(turn, std::memory_order_release);
    }
  }
};

/// A sense-reversing barrier: one counter, one word that all wait for. With a core for each it
/// spins; else it yields for a while, and then sleeps. Lies in shared memory.
class barrier {
 public:
  barrier(std::uint32_t processes, bool core_for_each) noexcept
      : processes_(processes), core_for_each_(core_for_each) {}

  void wait() noexcept {
    const std::uint32_t mine = sense_.load(std::memory_order_relaxed);
    // acq_rel: what each did before is seen by the last, and by all through sense_.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == processes_) {
      arrived_.store(0, std::memory_order_relaxed);
      sense_.store(mine + 1, std::memory_order_seq_cst);
      // seq_cst: a sleeper has counted itself before it looks at sense_ again, in the kernel.
      if (sleepers_.load(std::memory_order_seq_cst) != 0) futex(FUTEX_WAKE, INT_MAX);
      return;
    }
    const auto open = [&] { return sense_.load(std::memory_order_acquire) != mine; };
    if (core_for_each_) return spin_until(open);
    for (int yields = 0; yields < 200; ++yields) {
      if (open()) return;
      sched_yield();
    }
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    while (!open()) futex(FUTEX_WAIT, mine);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  void futex(int operation, std::uint32_t value) noexcept {
    syscall(SYS_futex, &sense_, operation, value, nullptr, nullptr, 0);
  }

  std::uint32_t processes_;
  bool core_for_each_;
  alignas(128) std::atomic<std::uint32_t> arrived_{0};
  alignas(128) std::atomic<std::uint32_t> sense_{0};
  std::atomic<std::uint32_t> sleepers_{0};  // on the same line: read together
};

}  // namespace far::bench::by_hand
