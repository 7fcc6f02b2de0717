#pragma once
// Baselines: hand-written code on memory that processes share, to compare libfar with. Nothing here
// uses libfar. Waits adapt to the machine, because there may be more processes than cores.

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace far::bench::baseline {

/// Hints to the core that this is a spin loop.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins; after many spins it yields, because the process to wait for may need this core.
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

/// Two cache lines, each written by one of two processes. In shared memory, initially zero.
struct ping_pong {
  alignas(128) std::atomic<std::uint64_t> ping{0};
  alignas(128) std::atomic<std::uint64_t> pong{0};

  /// One round trip; `turn` counts round trips from 1. Side 0 begins and receives the reply.
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

/// A sense-reversing barrier: one counter, and one word on which all wait. If each process has a
/// core, it spins; otherwise it yields for a while, then sleeps. In shared memory.
class barrier {
 public:
  barrier(std::uint32_t processes, bool core_for_each) noexcept
      : processes_(processes), core_for_each_(core_for_each) {}

  void wait() noexcept {
    const std::uint32_t mine = sense_.load(std::memory_order_relaxed);
    // acq_rel: the last process sees what the others did before; all see it through sense_.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == processes_) {
      arrived_.store(0, std::memory_order_relaxed);
      sense_.store(mine + 1, std::memory_order_seq_cst);
      // seq_cst: a sleeper increments sleepers_ before the kernel checks sense_ again.
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
  std::atomic<std::uint32_t> sleepers_{0};  // same cache line: read together
};

}  // namespace far::bench::baseline
