#pragma once
// Put and get, of one word and of bytes.

#include <cstddef>
#include <cstdint>

#include <far/fabric/copy.hpp>
#include <far/rma/direct.hpp>

#include "far_shmem/constants.h"
#include "shmem/context.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"

namespace far::shmem {

enum class completes : bool { later, before_return };

// What is not in the heap. `pe` is the context's.
[[gnu::noinline]] void put_elsewhere(const char* function, shmem_ctx_t context, void* dest,
                                     const void* source, std::uint64_t bytes, int pe,
                                     completes when) noexcept;
[[gnu::noinline]] void get_elsewhere(const char* function, shmem_ctx_t context, void* dest,
                                     const void* source, std::uint64_t bytes, int pe,
                                     completes when) noexcept;

// Where instructions do not reach, and errors.
[[gnu::noinline, gnu::cold]] void put_slowly(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) noexcept;
[[gnu::noinline, gnu::cold]] void get_slowly(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) noexcept;

/// Bytes of n elements; where that overflows, more than any memory has.
[[nodiscard]] inline std::uint64_t bytes_of(std::size_t n, std::size_t each) noexcept {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(std::uint64_t{n}, std::uint64_t{each}, &bytes) ? ~std::uint64_t{0}
                                                                               : bytes;
}

[[gnu::always_inline]] inline void copy_to(std::byte* there, const void* source,
                                           std::uint64_t bytes, int pe) noexcept {
  if (there == source) return;  // to itself
  fabric::release_fence();      // after this thread's earlier operations
  fabric::copy_bytes(there, source, bytes);
  places.waker.changed(pe);
}

[[gnu::always_inline]] inline void copy_from(void* dest, const std::byte* there,
                                             std::uint64_t bytes) noexcept {
  if (there == dest) return;
  fabric::copy_bytes(dest, there, bytes);
  fabric::acquire_fence();  // before this thread's later operations
}

template <class T>
[[gnu::always_inline]] inline void store_value(std::byte* there, T value, int pe) noexcept {
  if constexpr (rma::is_word<T>) {
    rma::store_word(there, value);
  } else {
    rma::store_small(there, value);
  }
  places.waker.changed(pe);
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T load_value(const std::byte* there) noexcept {
  if constexpr (rma::is_word<T>) {
    return rma::load_word<T>(there);
  } else {
    return rma::load_small<T>(there);
  }
}

// What is not in the heap, or where instructions do not reach. By value, so that the callers'
// values stay in registers.
template <class T>
[[gnu::noinline]] void put_value_elsewhere(const char* function, shmem_ctx_t context, T* dest,
                                           T value, int pe) noexcept {
  const int to = world_pe(context, pe);
  if (std::byte* const there = reached_in_statics(dest, sizeof(T), to)) {
    return store_value(there, value, to);
  }
  put_slowly(function, context, dest, &value, sizeof(T), pe, completes::before_return);
}
template <class T>
[[nodiscard, gnu::noinline]] T get_value_elsewhere(const char* function, shmem_ctx_t context,
                                                   const T* source, int pe) noexcept {
  const int from = world_pe(context, pe);
  if (const std::byte* const there = reached_in_statics(source, sizeof(T), from)) {
    return load_value<T>(there);
  }
  T value{};
  get_slowly(function, context, &value, source, sizeof(T), pe, completes::before_return);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void put_value(const char* function, shmem_ctx_t context, T* dest,
                                             T value, int pe) {
  const int to = world_pe(context, pe);
  std::byte* const there = reached_in_heap<sizeof(T)>(dest, to);
  if (there == nullptr) [[unlikely]]
    return put_value_elsewhere(function, context, dest, value, pe);
  store_value(there, value, to);
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T get_value(const char* function, shmem_ctx_t context,
                                                     const T* source, int pe) {
  const std::byte* const there = reached_in_heap<sizeof(T)>(source, world_pe(context, pe));
  if (there == nullptr) [[unlikely]]
    return get_value_elsewhere(function, context, source, pe);
  return load_value<T>(there);
}

[[gnu::always_inline]] inline void put_bytes(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) {
  if (bytes == 0) return;
  const int to = world_pe(context, pe);
  std::byte* const there = reached_in_heap(dest, bytes, to);
  if (there == nullptr) [[unlikely]]
    return put_elsewhere(function, context, dest, source, bytes, pe, when);
  copy_to(there, source, bytes, to);
}

[[gnu::always_inline]] inline void get_bytes(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) {
  if (bytes == 0) return;
  const std::byte* const there = reached_in_heap(source, bytes, world_pe(context, pe));
  if (there == nullptr) [[unlikely]]
    return get_elsewhere(function, context, dest, source, bytes, pe, when);
  copy_from(dest, there, bytes);
}

/// n objects of `Each` bytes. One, as irregular programs often have it, is a load and a store.
template <std::uint64_t Each>
[[gnu::always_inline]] inline void put_objects(const char* function, shmem_ctx_t context,
                                               void* dest, const void* source, std::size_t n,
                                               int pe, completes when) {
  if (n == 1) return put_bytes(function, context, dest, source, Each, pe, when);
  put_bytes(function, context, dest, source, bytes_of(n, Each), pe, when);
}
template <std::uint64_t Each>
[[gnu::always_inline]] inline void get_objects(const char* function, shmem_ctx_t context,
                                               void* dest, const void* source, std::size_t n,
                                               int pe, completes when) {
  if (n == 1) return get_bytes(function, context, dest, source, Each, pe, when);
  get_bytes(function, context, dest, source, bytes_of(n, Each), pe, when);
}

}  // namespace far::shmem
