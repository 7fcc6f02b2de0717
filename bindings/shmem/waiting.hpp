#pragma once
// Waiting for words of the PE's own memory, which any operation may change, plain puts too.

#include <cstddef>
#include <cstdint>
#include <span>

#include <far/base/function_ref.hpp>
#include <far/base/relax.hpp>
#include <far/rma/direct.hpp>

#include "far_shmem/constants.h"
#include "shmem/function.hpp"

namespace far::shmem {

/// Waits until ready() returns true, which looks at words of this PE. `words`: the first of them
/// and how many bytes they span, which must be symmetric, for nothing else changes. Errors:
/// out_of_bounds; rank_failed.
void await(const void* words, std::uint64_t bytes, base::function_ref<bool()> ready);

/// Errors: bad_argument unless it is one of SHMEM_CMP_...
void check_comparison(int cmp);

template <class T>
[[nodiscard]] inline T look_at(const T* word) noexcept {
  return rma::load_word<T>(reinterpret_cast<const std::byte*>(word));
}

template <class T>
[[nodiscard]] inline bool holds(T seen, int cmp, T value) noexcept {
  switch (cmp) {
    case SHMEM_CMP_EQ:
      return seen == value;
    case SHMEM_CMP_NE:
      return seen != value;
    case SHMEM_CMP_GT:
      return seen > value;
    case SHMEM_CMP_GE:
      return seen >= value;
    case SHMEM_CMP_LT:
      return seen < value;
    case SHMEM_CMP_LE:
      return seen <= value;
    default:
      return false;
  }
}

template <class T>
T wait_for(const char* function, const T* word, int cmp, T value) noexcept {
  T seen = look_at(word);
  if (holds(seen, cmp, value)) [[likely]]
    return seen;
  return guarded(function, [&] {
    check_comparison(cmp);
    await(word, sizeof(T), [&] {
      seen = look_at(word);
      return holds(seen, cmp, value);
    });
    return seen;
  });
}

}  // namespace far::shmem
