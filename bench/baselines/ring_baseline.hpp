#pragma once
// A hand-written queue of 8-byte values in memory that processes share, to compare far::queue with.
// Nothing here uses libfar. A ring: pushes and pops claim positions by fetch-and-add, and publish
// their completion in order of position.

#include <atomic>
#include <cstdint>

#include "bench/baselines/common.hpp"

namespace far::bench::baseline {

/// In shared memory, initially zero, followed by its slots, a power of two. Positions only grow.
/// A full or empty ring makes its users wait, so they must keep that short.
class ring {
 public:
  explicit ring(std::uint64_t slots) noexcept : mask_(slots - 1) {}

  [[nodiscard]] static constexpr std::size_t bytes(std::uint64_t slots) noexcept {
    return sizeof(ring) + slots * sizeof(std::uint64_t);
  }

  /// Makes the ring contain `values` arbitrary values. No process may use it meanwhile.
  void reset(std::uint64_t values) noexcept {
    tail_ = ready_ = values;
    head_ = freed_ = 0;
  }

  /// Allowed while others push and pop.
  void push(std::uint64_t value) noexcept {
    const std::uint64_t position = push_in_phase(value);
    await(ready_, position);
    ready_.store(position + 1, std::memory_order_release);
  }
  std::uint64_t pop() noexcept {
    const std::uint64_t position = head_.fetch_add(1, std::memory_order_relaxed);
    spin_until([&] { return ready_.load(std::memory_order_acquire) > position; });
    const std::uint64_t value = slots()[position & mask_];
    await(freed_, position);
    freed_.store(position + 1, std::memory_order_release);
    return value;
  }

  /// Pushes while no process pops; returns the position.
  std::uint64_t push_in_phase(std::uint64_t value) noexcept {
    const std::uint64_t position = tail_.fetch_add(1, std::memory_order_relaxed);
    spin_until([&] { return position <= freed_.load(std::memory_order_acquire) + mask_; });
    slots()[position & mask_] = value;
    return position;
  }
  /// Pops while no process pushes; there must be a value for each pop.
  std::uint64_t pop_in_phase() noexcept {
    return slots()[head_.fetch_add(1, std::memory_order_relaxed) & mask_];
  }

 private:
  static void await(const std::atomic<std::uint64_t>& cursor, std::uint64_t turn) noexcept {
    spin_until([&] { return cursor.load(std::memory_order_acquire) == turn; });
  }
  [[nodiscard]] std::uint64_t* slots() noexcept {
    return reinterpret_cast<std::uint64_t*>(this + 1);
  }

  std::uint64_t mask_;
  alignas(64) std::atomic<std::uint64_t> tail_{0};   ///< pushes have claimed the positions below
  alignas(64) std::atomic<std::uint64_t> ready_{0};  ///< pushes have written them
  alignas(64) std::atomic<std::uint64_t> head_{0};   ///< pops have claimed them
  alignas(64) std::atomic<std::uint64_t> freed_{0};  ///< pops have read them
};

}  // namespace far::bench::baseline
