#pragma once
// Debug builds show that a program uses a `T&` or a span for too long: memory that no thread has a
// right to is filled, and with AddressSanitizer its use is reported.

#include <cstddef>
#include <cstring>

#include "far/base/check.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace far::objects {

/// What forbidden memory is filled with.
inline constexpr std::byte stale_byte{0xdb};

/// Nobody may use the memory until `permit`. No-op in other builds than debug builds.
inline void forbid([[maybe_unused]] std::byte* memory,
                   [[maybe_unused]] std::size_t bytes) noexcept {
  if constexpr (base::debug_checks) {
    std::memset(memory, static_cast<int>(stale_byte), bytes);
#if defined(__SANITIZE_ADDRESS__)
    ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
  }
}
inline void permit([[maybe_unused]] std::byte* memory,
                   [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  if constexpr (base::debug_checks) ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

}  // namespace far::objects
