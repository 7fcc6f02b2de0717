#pragma once
// The inline path: words of ranks whose memory plain instructions reach. Everything in libfar
// that touches a shared word by an instruction of its own goes through this file.
//
// Ordering: loads acquire, stores release, read-modify-writes do both. On x86 that costs nothing
// over relaxed, and it lets ThreadSanitizer see what words publish.

#include <atomic>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "far/base/check.hpp"
#include "far/fabric/copy.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far::rma {

/// Sizes that move whole when aligned to their number of bytes.
template <class T>
inline constexpr bool is_word =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

/// Where the inline path reaches the word at p, else null. Debug builds check its bounds.
template <class T>
[[nodiscard]] inline std::byte* direct_word(const world& view, ptr<T> p) {
  static_assert(is_word<T>);
  if constexpr (base::debug_checks) view.fabric().check_bounds(p.address(), sizeof(T));
  if constexpr (alignof(T) < sizeof(T)) {
    if (p.address().offset() % sizeof(T) != 0) return nullptr;
  }
  return fabric::reached(view.words(), p.address());
}

template <class T>
[[nodiscard]] inline T load_word(const std::byte* place) noexcept {
  using word = fabric::detail::overlay<sizeof(T)>;
  const typename word::plain value =
      __atomic_load_n(reinterpret_cast<const typename word::type*>(place), __ATOMIC_ACQUIRE);
  return std::bit_cast<T>(value);
}

template <class T>
inline void store_word(std::byte* place, const T& value) noexcept {
  using word = fabric::detail::overlay<sizeof(T)>;
  __atomic_store_n(reinterpret_cast<typename word::type*>(place),
                   std::bit_cast<typename word::plain>(value), __ATOMIC_RELEASE);
}

/// For read-modify-writes.
template <class T>
[[nodiscard]] inline std::atomic_ref<T> atomic_word(std::byte* place) noexcept {
  return std::atomic_ref<T>(*reinterpret_cast<T*>(place));
}

}  // namespace far::rma
