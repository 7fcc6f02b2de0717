#pragma once
// Copies between memories that other ranks may access at the same time, and fences. All fabrics
// with direct() share them.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "far/base/language.hpp"

#if defined(__SANITIZE_THREAD__)
#define FAR_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FAR_THREAD_SANITIZER 1
#endif
#endif

namespace far::fabric {

#ifdef FAR_THREAD_SANITIZER
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

namespace detail {

/// The unsigned word of a size (plain), and the same type allowed to alias objects of any type.
template <std::size_t Bytes>
struct overlay;
template <>
struct overlay<1> {
  using plain = std::uint8_t;
  using type [[gnu::may_alias]] = std::uint8_t;
};
template <>
struct overlay<2> {
  using plain = std::uint16_t;
  using type [[gnu::may_alias]] = std::uint16_t;
};
template <>
struct overlay<4> {
  using plain = std::uint32_t;
  using type [[gnu::may_alias]] = std::uint32_t;
};
template <>
struct overlay<8> {
  using plain = std::uint64_t;
  using type [[gnu::may_alias]] = std::uint64_t;
};

template <std::size_t Bytes>
[[nodiscard]] inline bool is_aligned(const void* place) noexcept {
  return reinterpret_cast<std::uintptr_t>(place) % Bytes == 0;
}

/// Copies one word. An aligned side is accessed atomically, any other in pieces.
template <std::size_t Bytes>
inline void copy_word(void* to, const void* from) noexcept {
  using cell = typename overlay<Bytes>::type;
  cell word;
  if (is_aligned<Bytes>(from)) {
    word = __atomic_load_n(static_cast<const cell*>(from), __ATOMIC_RELAXED);
  } else {
    std::memcpy(&word, from, Bytes);
  }
  if (is_aligned<Bytes>(to)) {
    __atomic_store_n(static_cast<cell*>(to), word, __ATOMIC_RELAXED);
  } else {
    std::memcpy(to, &word, Bytes);
  }
}

/// Does the whole transfer with relaxed atomics. ThreadSanitizer does not report these as a race
/// between transfers, as it would for memcpy; it still reports a race with plain accesses.
void copy_by_words(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

}  // namespace detail

/// Copies `bytes` bytes from `from` to `to`, which must not overlap. Other ranks may read or write
/// either place at the same time. A transfer of 1, 2, 4 or 8 bytes is atomic in shared places
/// that are aligned to that size; a longer transfer may be seen in pieces.
///
/// Ordering: relaxed. To make the bytes visible to others in order, follow the copy with a release
/// store or full_fence. (That also covers the streaming stores of a long memcpy, since the C
/// library ends them with a store fence.)
/// Cost: that of memcpy.
/// Checked by: copy_test.aligned_words_move_whole
inline void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  switch (bytes) {
    case 1:
      return detail::copy_word<1>(to, from);
    case 2:
      return detail::copy_word<2>(to, from);
    case 4:
      return detail::copy_word<4>(to, from);
    case 8:
      return detail::copy_word<8>(to, from);
    case 0:
      return;  // the pointers may be null here, which memcpy forbids
    default:
      break;
  }
  if constexpr (under_thread_sanitizer) {
    detail::copy_by_words(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// acquire_fence orders earlier loads before everything that follows; release_fence orders
/// everything earlier before later stores. On x86 they restrict only the compiler. ThreadSanitizer
/// does not support fences, and does not need these: words and signals synchronize, long transfers
/// do not (docs/memory_model.md).
inline void acquire_fence() noexcept {
  if constexpr (!under_thread_sanitizer) std::atomic_thread_fence(std::memory_order_acquire);
}
inline void release_fence() noexcept {
  if constexpr (!under_thread_sanitizer) std::atomic_thread_fence(std::memory_order_release);
}

/// No load or store of this thread passes it in either direction. In particular it orders a store
/// before a later load, which no weaker fence does.
inline void full_fence() noexcept {
  if constexpr (under_thread_sanitizer) {
    // ThreadSanitizer does not support fences. A read-modify-write acts as one on every processor
    // that it supports.
    std::atomic<int> anything{0};
    anything.exchange(1, std::memory_order_seq_cst);
  } else {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

}  // namespace far::fabric
