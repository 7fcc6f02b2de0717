#pragma once
// The inline path: access to words of ranks whose memory can be reached by plain instructions. All
// code of libfar that accesses a shared word by an instruction uses this file, and here the one
// struct `instructions`.
//
// Ordering: loads acquire, stores release, read-modify-writes do both. On x86 that costs nothing
// over relaxed, and it lets ThreadSanitizer see what words publish.

#include <atomic>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "far/base/check.hpp"
#include "far/base/raw_object.hpp"
#include "far/fabric/copy.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far::rma {

/// Whether objects of type T move whole when they are aligned to their size.
template <class T>
inline constexpr bool is_word =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

/// Where the inline path can access the word at p, else null. Debug builds check its bounds.
template <class T>
[[nodiscard]] inline std::byte* direct_word(const world& world, ptr<T> p) {
  static_assert(is_word<T>);
  if constexpr (base::debug_checks) world.fabric().check_bounds(p.address(), sizeof(T));
  if constexpr (alignof(T) < sizeof(T)) {
    if (p.address().offset() % sizeof(T) != 0) return nullptr;
  }
  return fabric::reached(world.words(), p.address());
}

/// Whether the inline path copies objects of type T in a few instructions.
template <class T>
inline constexpr bool is_small = !is_word<T> && sizeof(T) <= 64;

/// Where the inline path can access the object at p, else null. Debug builds check its bounds.
template <class T>
[[nodiscard]] inline std::byte* direct_object(const world& world, ptr<T> p) {
  static_assert(is_small<T>);
  if constexpr (base::debug_checks) world.fabric().check_bounds(p.address(), sizeof(T));
  return fabric::reached(world.words(), p.address());
}

/// All instructions that the inline path executes on shared words of type T. A test specialises
/// this struct for its own type with a model of a processor (test/litmus/store_buffer.hpp), to
/// check how put, get, atomic_ref and flush use the instructions.
/// Checked by: store_buffer.inline_path_shows_only_what_the_axioms_allow
template <class T>
struct instructions {
  [[nodiscard]] static T load_acquire(const std::byte* place) noexcept {
    using word = fabric::detail::overlay<sizeof(T)>;
    const typename word::plain value =
        __atomic_load_n(reinterpret_cast<const typename word::type*>(place), __ATOMIC_ACQUIRE);
    return std::bit_cast<T>(value);
  }
  static void store_release(std::byte* place, const T& value) noexcept {
    using word = fabric::detail::overlay<sizeof(T)>;
    __atomic_store_n(reinterpret_cast<typename word::type*>(place),
                     std::bit_cast<typename word::plain>(value), __ATOMIC_RELEASE);
  }
  [[nodiscard]] static std::atomic_ref<T> updates(std::byte* place) noexcept {
    return std::atomic_ref<T>(*reinterpret_cast<T*>(place));
  }
  static void full_fence() noexcept { fabric::full_fence(); }
};

template <class T>
[[nodiscard]] inline T load_word(const std::byte* place) noexcept {
  return instructions<T>::load_acquire(place);
}

template <class T>
inline void store_word(std::byte* place, const T& value) noexcept {
  instructions<T>::store_release(place, value);
}

template <class T>
[[nodiscard]] inline T load_small(const std::byte* place) noexcept {
  base::raw_object<T> object;
  fabric::copy_bytes(object.bytes, place, sizeof(T));
  fabric::acquire_fence();  // before this thread's later operations
  return object.value();
}

template <class T>
inline void store_small(std::byte* place, const T& value) noexcept {
  fabric::release_fence();  // after this thread's earlier operations
  fabric::copy_bytes(place, &value, sizeof(T));
}

/// For read-modify-writes.
template <class T>
[[nodiscard]] inline auto atomic_word(std::byte* place) noexcept {
  return instructions<T>::updates(place);
}

}  // namespace far::rma
