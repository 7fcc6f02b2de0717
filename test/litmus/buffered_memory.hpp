#pragma once
// Memory behind store buffers (total store order, as on x86). Each thread has a queue of its
// stores, which reach memory in order but late. Its loads look into its own queue first. Updates
// and full fences wait until the queue is empty.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "far/base/check.hpp"

namespace far::litmus {

/// Processors that break these rules, to check that they are found.
enum class fault : std::uint8_t {
  nothing,
  fence_is_nothing,
  stores_pass_stores,
  loads_miss_own_stores,
  updates_do_not_wait,  ///< they leave earlier stores in the queue, and are late themselves
};

/// Memory and queues, and the effect of each instruction.
template <std::size_t Cells, std::size_t Threads>
class buffered_memory {
 public:
  static constexpr std::size_t depth = 6;
  static constexpr std::uint8_t empty = 0xff;
  struct entry {
    std::uint8_t cell = empty;
    std::uint8_t value = 0;
    friend bool operator==(const entry&, const entry&) = default;
  };
  using queue = std::array<entry, depth>;

  [[nodiscard]] std::uint8_t load(std::size_t thread, std::size_t cell,
                                  fault f = fault::nothing) const noexcept {
    std::uint8_t result = memory_[cell];
    for (const entry& e : queues_[thread]) {
      if (e.cell == cell && f != fault::loads_miss_own_stores) result = e.value;
    }
    return result;
  }
  void store(std::size_t thread, std::size_t cell, std::uint8_t value) noexcept {
    queue& q = queues_[thread];
    auto* const place = std::ranges::find(q, empty, &entry::cell);
    FAR_CHECK(place != q.end(), "a litmus thread stores too much");
    *place = {static_cast<std::uint8_t>(cell), value};
  }
  std::uint8_t exchange(std::size_t thread, std::size_t cell, std::uint8_t value,
                        fault f = fault::nothing) noexcept {
    if (f == fault::updates_do_not_wait) {
      const std::uint8_t old = load(thread, cell, f);
      store(thread, cell, value);
      return old;
    }
    fence(thread);
    return std::exchange(memory_[cell], value);
  }
  void fence(std::size_t thread, fault f = fault::nothing) noexcept {
    if (f == fault::fence_is_nothing) return;
    while (drainable(thread) > 0) drain(thread, 0);
  }

  /// The number of the thread's stores that may reach memory next; `drain` lets one of them do so.
  [[nodiscard]] std::size_t drainable(std::size_t thread, fault f = fault::nothing) const noexcept {
    const std::size_t n = pending(thread);
    return f == fault::stores_pass_stores ? n : std::min<std::size_t>(n, 1);
  }
  void drain(std::size_t thread, std::size_t which) noexcept {
    queue& q = queues_[thread];
    memory_[q[which].cell] = q[which].value;
    std::copy(q.begin() + static_cast<std::ptrdiff_t>(which) + 1, q.end(),
              q.begin() + static_cast<std::ptrdiff_t>(which));
    q.back() = {};
  }

  [[nodiscard]] const std::array<std::uint8_t, Cells>& memory() const noexcept { return memory_; }
  /// The stores in a thread's buffer, the oldest first.
  [[nodiscard]] const queue& queue_of(std::size_t thread) const noexcept { return queues_[thread]; }
  [[nodiscard]] std::size_t pending(std::size_t thread) const noexcept {
    const queue& q = queues_[thread];
    return static_cast<std::size_t>(std::ranges::find(q, empty, &entry::cell) - q.begin());
  }
  [[nodiscard]] bool is_drained() const noexcept {
    return std::ranges::all_of(queues_, [](const queue& q) { return q[0].cell == empty; });
  }
  friend bool operator==(const buffered_memory&, const buffered_memory&) = default;

 private:
  std::array<std::uint8_t, Cells> memory_{};
  std::array<queue, Threads> queues_{};
};

}  // namespace far::litmus
