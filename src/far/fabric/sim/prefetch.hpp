#pragma once

#include <cstddef>

namespace far::fabric::sim {

/// Prefetches memory into the processor's caches. Any address is allowed.
inline void prefetch(const void* place, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  const auto* const begin = static_cast<const std::byte*>(place);
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(begin + at, 1);
}

}  // namespace far::fabric::sim
