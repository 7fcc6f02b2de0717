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

// Where instructions do not reach, and errors. `pe` is the context's.
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

// By value, so that the callers' values stay in registers.
template <class T>
[[gnu::noinline, gnu::cold]] void put_value_slowly(const char* function, shmem_ctx_t context,
                                                   T* dest, T value, int pe) noexcept {
  put_slowly(function, context, dest, &value, sizeof(T), pe, completes::before_return);
}
template <class T>
[[nodiscard, gnu::noinline, gnu::cold]] T get_value_slowly(const char* function,
                                                           shmem_ctx_t context, const T* source,
                                                           int pe) noexcept {
  T value{};
  get_slowly(function, context, &value, source, sizeof(T), pe, completes::before_return);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void put_value(const char* function, shmem_ctx_t context, T* dest,
                                             T value, int pe) {
  const int to = world_pe(context, pe);
  std::byte* const there = reached_object<sizeof(T)>(dest, to);
  if (there == nullptr) [[unlikely]]
    return put_value_slowly(function, context, dest, value, pe);
  if constexpr (rma::is_word<T>) {
    rma::store_word(there, value);
  } else {
    rma::store_small(there, value);
  }
  places.waker.changed(to);
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T get_value(const char* function, shmem_ctx_t context,
                                                     const T* source, int pe) {
  const std::byte* const there = reached_object<sizeof(T)>(source, world_pe(context, pe));
  if (there == nullptr) [[unlikely]]
    return get_value_slowly(function, context, source, pe);
  if constexpr (rma::is_word<T>) {
    return rma::load_word<T>(there);
  } else {
    return rma::load_small<T>(there);
  }
}

[[gnu::always_inline]] inline void put_bytes(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) {
  if (bytes == 0) return;
  const int to = world_pe(context, pe);
  std::byte* const there = reached(dest, bytes, to);
  if (there == nullptr) [[unlikely]]
    return put_slowly(function, context, dest, source, bytes, pe, when);
  if (there == source) return;  // to itself
  fabric::release_fence();      // after this thread's earlier operations
  fabric::copy_bytes(there, source, bytes);
  places.waker.changed(to);
}

[[gnu::always_inline]] inline void get_bytes(const char* function, shmem_ctx_t context, void* dest,
                                             const void* source, std::uint64_t bytes, int pe,
                                             completes when) {
  if (bytes == 0) return;
  const std::byte* const there = reached(source, bytes, world_pe(context, pe));
  if (there == nullptr) [[unlikely]]
    return get_slowly(function, context, dest, source, bytes, pe, when);
  if (there == dest) return;
  fabric::copy_bytes(dest, there, bytes);
  fabric::acquire_fence();  // before this thread's later operations
}

}  // namespace far::shmem
