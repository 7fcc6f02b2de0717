#pragma once
// Copying between memories that other ranks may touch meanwhile, and the full fence: what every
// fabric with direct() does the same way.

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

/// The unsigned word of a size (plain), and the same allowed to overlay objects of any type.
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

/// One word; each side whole if it is aligned, else in pieces.
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

/// The whole transfer in relaxed atomics, which ThreadSanitizer does not take for a race between
/// transfers, as it would a memcpy. A race with plain accesses it still reports.
void copy_by_words(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

}  // namespace detail

/// Copies `bytes` from `from` to `to`, which do not overlap. Other ranks may read or write either
/// place meanwhile: 1, 2, 4 or 8 bytes, aligned to their number where they are shared, move
/// whole; a longer transfer may be seen in pieces.
///
/// Ordering: relaxed. What makes the bytes visible to others in order comes after: a releasing
/// store, or full_fence. (That holds for the streaming stores of a long memcpy too: the C library
/// ends them with a store fence.)
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
      return;  // either pointer may be null then, which memcpy forbids
    default:
      break;
  }
  if constexpr (under_thread_sanitizer) {
    detail::copy_by_words(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// Loads before it come before all that follows; and: all before it comes before stores that
/// follow. On x86 they only hold back the compiler. ThreadSanitizer does not know them, and need
/// not: long transfers are no synchronisation (docs/memory_model.md), words and signals are.
inline void acquire_fence() noexcept {
  if constexpr (!under_thread_sanitizer) std::atomic_thread_fence(std::memory_order_acquire);
}
inline void release_fence() noexcept {
  if constexpr (!under_thread_sanitizer) std::atomic_thread_fence(std::memory_order_release);
}

/// No load or store of this thread passes it in either direction: orders a store before a later
/// load, which nothing weaker does.
inline void full_fence() noexcept {
  if constexpr (under_thread_sanitizer) {
    // ThreadSanitizer does not know fences; a read-modify-write is one on every processor that
    // it supports.
    std::atomic<int> anything{0};
    anything.exchange(1, std::memory_order_seq_cst);
  } else {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

}  // namespace far::fabric
