#pragma once
// A queue of 8-byte values as one would write it by hand in memory that processes share, to compare
// far::queue with: nothing here knows of libfar. A ring; who pushes or pops takes positions by
// fetch-and-add, and says in turn that it is done.

#include <atomic>
#include <cstdint>

#include "bench/baselines/by_hand.hpp"

namespace far::bench::by_hand {

/// Lies in shared memory, zero at first, with its slots behind it: a power of two. Positions only
/// grow. Its users see to it that it is never full or empty for long: they wait.
class ring {
 public:
  explicit ring(std::uint64_t slots) noexcept : mask_(slots - 1) {}

  [[nodiscard]] static constexpr std::size_t bytes(std::uint64_t slots) noexcept {
    return sizeof(ring) + slots * sizeof(std::uint64_t);
  }

  /// While nobody uses it: so many values are in it, whatever they are.
  void reset(std::uint64_t values) noexcept {
    tail_ = ready_ = values;
    head_ = freed_ = 0;
  }

  /// While others push and pop.
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

  /// While nobody pops: where it went.
  std::uint64_t push_in_phase(std::uint64_t value) noexcept {
    const std::uint64_t position = tail_.fetch_add(1, std::memory_order_relaxed);
    spin_until([&] { return position <= freed_.load(std::memory_order_acquire) + mask_; });
    slots()[position & mask_] = value;
    return position;
  }
  /// While nobody pushes, and there are values for all.
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

}  // namespace far::bench::by_hand
