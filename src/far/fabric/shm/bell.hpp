#pragma once
// Waking the contexts of a rank.
//
// Invariant (no wake-up is lost): a waker first makes its news visible (a sequentially
// consistent store or read-modify-write, or a store and a full fence), then reads `sleeping`; a
// sleeper first sets its bit in `sleeping` (sequentially consistent), then looks for news, then
// sleeps on the bell's value from before it set the bit. In the total order of these operations
// either the waker sees the bit, or the sleeper sees the news.

#include <cstdint>

#include "far/fabric/shm/layout.hpp"

namespace far::fabric::shm {

/// Rings the bells of all contexts in `mask` that the rank has put to sleep.
void ring_slow(rank_block& rank, std::uint64_t sleepers) noexcept;

/// After a signal or a marked amo: nobody knows who awaits the word, so all look.
inline void wake_rank(rank_block& rank) noexcept {
  const std::uint64_t sleepers = rank.sleeping.load(std::memory_order_seq_cst);
  if (sleepers != 0) [[unlikely]]
    ring_slow(rank, sleepers);
}

/// After a message to a lane: one context is enough, it will run the handler.
inline void wake_one(rank_block& rank) noexcept {
  const std::uint64_t sleepers = rank.sleeping.load(std::memory_order_seq_cst);
  if (sleepers != 0) [[unlikely]]
    ring_slow(rank, sleepers & (~sleepers + 1));
}

/// After a reply to one context.
inline void wake_context(rank_block& rank, int context) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << context;
  if ((rank.sleeping.load(std::memory_order_seq_cst) & bit) != 0) [[unlikely]] {
    ring_slow(rank, bit);
  }
}

/// Wakes all that sleep on a word.
void wake_sleepers(std::atomic<std::uint32_t>& word) noexcept;

/// Sleeps while the bell still shows `seen`, for at most `timeout_ns` (0: no limit).
void sleep_on(std::atomic<std::uint32_t>& bell, std::uint32_t seen,
              std::uint64_t timeout_ns) noexcept;

}  // namespace far::fabric::shm
