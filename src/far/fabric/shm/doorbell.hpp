#pragma once
// Doorbells wake the contexts of a rank.
//
// Invariant (no wake-up is lost): a waker first publishes its news (a sequentially consistent
// store or read-modify-write, or a store and a full fence), then reads `sleeping`. A sleeper
// reads its doorbell, sets its bit in `sleeping` (sequentially consistent), checks for news, and
// sleeps while the doorbell has the value that it read. In the total order of these operations
// either the waker sees the bit, or the sleeper sees the news.

#include <cstdint>

#include "far/fabric/copy.hpp"
#include "far/fabric/shm/layout.hpp"

namespace far::fabric::shm {

/// The slow path: rings the doorbells of the contexts in `sleepers`.
void ring_slow(rank_block& rank, std::uint64_t sleepers) noexcept;

/// Wakes all contexts.
inline void wake_rank(rank_block& rank) noexcept {
  const std::uint64_t sleepers = rank.sleeping.load(std::memory_order_seq_cst);
  if (sleepers != 0) [[unlikely]]
    ring_slow(rank, sleepers);
}

/// For use after a signal or an amo marked wake. Wakes all contexts that may wait for the word,
/// since it is not known which does. The service thread waits for messages only. It sleeps nearly
/// always: woken for each signal, it would cost the sender a system call, and on a busy machine
/// take the processor from a rank.
inline void wake_waiters(rank_block& rank) noexcept {
  const std::uint64_t sleepers =
      rank.sleeping.load(std::memory_order_seq_cst) & ~rank.service.load(std::memory_order_relaxed);
  if (sleepers != 0) [[unlikely]]
    ring_slow(rank, sleepers);
}

/// For use after a change of plain memory, which wakes only those that sleep in a wait for that: a
/// hint, see plain_wake.hpp.
inline void wake_plain(const job_header& job, rank_block& rank) noexcept {
  if (job.plain_sleepers.load(std::memory_order_relaxed) == 0) [[likely]]
    return;
  full_fence();
  wake_waiters(rank);
}

/// For use after a message to a lane. Wakes one context, which runs the handler.
inline void wake_one(rank_block& rank) noexcept {
  const std::uint64_t sleepers = rank.sleeping.load(std::memory_order_seq_cst);
  if (sleepers != 0) [[unlikely]]
    ring_slow(rank, sleepers & (~sleepers + 1));
}

/// For use after a reply to one context.
inline void wake_context(rank_block& rank, int context) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << context;
  if ((rank.sleeping.load(std::memory_order_seq_cst) & bit) != 0) [[unlikely]] {
    ring_slow(rank, bit);
  }
}

/// Wakes all threads that sleep on a word.
void wake_sleepers(std::atomic<std::uint32_t>& word) noexcept;

/// Sleeps while the doorbell still shows `seen`, for at most `timeout_ns` (0: no limit).
void sleep_on(std::atomic<std::uint32_t>& doorbell, std::uint32_t seen,
              std::uint64_t timeout_ns) noexcept;

}  // namespace far::fabric::shm
