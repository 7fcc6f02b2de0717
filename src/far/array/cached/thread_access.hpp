#pragma once
// How one thread accesses chunks: the hit, inline, and the slow path (access.hpp has the rules).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "far/array/cached/part.hpp"
#include "far/fabric/asymmetric_fence.hpp"
#include "far/world/world.hpp"

namespace far::cached {

/// Elements that hits access with one instruction.
template <class T>
inline constexpr bool is_word =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

/// What a hit has read; not done if the chunk's word did not grant the access.
struct nothing {};
template <class Value = nothing>
struct hit_result {
  bool done = false;
  [[no_unique_address]] Value value{};
};
/// The unsigned integer of a word's size.
template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class T>
[[nodiscard]] T load(const T* from) noexcept {
  return std::atomic_ref<T>(*const_cast<T*>(from)).load(std::memory_order_relaxed);
}
template <class T>
void store(T* to, const T& value) noexcept {
  std::atomic_ref<T>(*to).store(value, std::memory_order_seq_cst);
}
/// Atomic: other threads of the rank may write the element, too.
template <class Op, class T>
void combine(T* to, const T& operand) noexcept {
  const std::atomic_ref<T> element(*to);
  T old = element.load(std::memory_order_relaxed);
  while (!element.compare_exchange_weak(old, Op{}(old, operand))) {
  }
}

void check_same_size(std::size_t indices, std::size_t operands);

class thread_access {
 public:
  thread_access(const world& view, std::shared_ptr<part> of);
  thread_access(thread_access&& other) noexcept = default;
  thread_access& operator=(thread_access&&) = delete;
  ~thread_access();

  [[nodiscard]] const world& view() const noexcept { return view_; }
  [[nodiscard]] cached::part& part() const noexcept { return *part_; }
  [[nodiscard]] const std::shared_ptr<cached::part>& shared_part() const noexcept { return part_; }

  /// Calls f(the chunk's word) between publishing the access and clearing it, and returns what f
  /// returns, a hit_result. f captures by value, so that a hit stays in registers.
  template <class F>
  [[gnu::always_inline]] auto hit(std::uint64_t chunk, F f) const {
    if (path_ == path::direct) return f(word_of(chunk));
    if (path_ == path::careful) [[unlikely]]
      return careful_hit(chunk, f);
    record_->accessed.store(chunk + 1, std::memory_order_relaxed);
    fabric::light_fence(true);
    const auto result = f(word_of(chunk));
    record_->accessed.store(0, std::memory_order_release);
    fabric::light_fence(true);
    if (record_->notice.load(std::memory_order_relaxed) != 0) [[unlikely]]
      answer_notice();
    return result;
  }
  [[nodiscard]] const operand_line* operand_lines() const noexcept {
    return record_->operands.data();
  }

  /// Waits for the right, and calls f(data, is_value) under the rank's mutex. is_value: data are
  /// the elements, not operands.
  template <class F>
  void slow(std::uint64_t chunk, right what, const operation* op, F f) const {
    outbox out;
    {
      std::unique_lock lock(part_->mutex);
      std::byte* const data = part_->lines.acquire(lock, out, view_, *record_, chunk, what, op);
      f(data, what != right::operate || part_->lines.is_value(chunk));
      part_->lines.leave(out, chunk);
    }
    out.flush(*part_, view_.context());
  }

  /// Requests chunks from `begin` on, at most 64 and half the cache; returns where it stopped.
  std::uint64_t prefetch(std::uint64_t begin, std::uint64_t end, right what,
                         const operation* op) const;
  void prefetch(std::vector<std::uint64_t> chunks, right what, const operation* op) const;

  struct pinned {
    std::byte* data;
    right what;  ///< to be unpinned; `write` for operate: the data are the elements, not operands
  };
  /// Waits for the right and keeps it until unpin.
  [[nodiscard]] pinned pin(std::uint64_t chunk, right what, const operation* op = nullptr) const;
  void unpin(std::uint64_t chunk, right what) const;

 private:
  /// How accesses reach elements: `direct` without publishing, where nothing is cached;
  /// `published`; `careful`, with full fences, and in a simulation with a step between any two
  /// actions.
  enum class path : std::uint8_t { direct, published, careful };

  static path path_of(const world& view, const cached::part& of) noexcept;
  [[nodiscard]] chunk_word word_of(std::uint64_t chunk) const noexcept {
    return chunk_word(table_[chunk].load(std::memory_order_acquire));
  }
  template <class F>
  [[gnu::noinline]] auto careful_hit(std::uint64_t chunk, F f) const {
    record_->accessed.store(chunk + 1, std::memory_order_relaxed);
    fabric::light_fence(false);
    step();
    const auto result = f(word_of(chunk));
    step();
    record_->accessed.store(0, std::memory_order_release);
    fabric::light_fence(false);
    step();
    if (record_->notice.load(std::memory_order_relaxed) != 0) answer_notice();
    return result;
  }
  void step() const;
  void answer_notice() const;

  world view_;
  std::shared_ptr<cached::part> part_;
  std::shared_ptr<thread_record> record_;
  std::atomic<std::uint64_t>* table_;
  path path_;
};

}  // namespace far::cached
