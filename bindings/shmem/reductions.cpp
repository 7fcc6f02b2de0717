// Reductions and scans.

#include <cstring>
#include <functional>

#include <far/team/reduce.hpp>
#include <far/team/scan.hpp>

#include "far_shmem/collectives.h"
#include "far_shmem/deprecated.h"
#include "shmem/collective.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"

namespace far::shmem {
namespace {

/// Operations as the language has them on the types, whose small ones are computed as int.
template <class T>
struct operation {
  static T sum(T a, T b) { return static_cast<T>(a + b); }
  static T prod(T a, T b) { return static_cast<T>(a * b); }
  static T max(T a, T b) { return a < b ? b : a; }
  static T min(T a, T b) { return b < a ? b : a; }
  static T bit_and(T a, T b) { return static_cast<T>(a & b); }
  static T bit_or(T a, T b) { return static_cast<T>(a | b); }
  static T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
};

template <class T>
using fold = T (*)(T, T);

template <class T, fold<T> Fold>
struct folder {
  T operator()(const T& a, const T& b) const { return Fold(a, b); }
};

/// The list of this PE, in `dest`, where the library's collectives replace it.
template <class T>
std::span<T> placed(T* dest, const T* source, std::size_t n) {
  if (n == 0) return {};
  check_symmetric(dest, n * sizeof(T));
  if (dest != source) std::memmove(static_cast<void*>(dest), source, n * sizeof(T));
  return {dest, n};
}

template <class T, fold<T> Fold>
void reduce(far_shmem_team& team, T* dest, const T* source, std::size_t n) {
  const std::span<T> list = placed(dest, source, n);
  collectively(team, [&](const world& world, const far::team& of) {
    allreduce(world, list, folder<T, Fold>{}, of);
  });
}

template <class T>
void scan(far_shmem_team& team, T* dest, const T* source, std::size_t n, bool inclusive) {
  const std::span<T> list = placed(dest, source, n);
  collectively(team, [&](const world& world, const far::team& of) {
    constexpr folder<T, operation<T>::sum> sum;
    if (inclusive) {
      inclusive_scan(world, list, sum, of);
    } else {
      exclusive_scan(world, list, T{}, sum, of);
    }
  });
}

template <class T>
int reduced(const char* function, void (*how)(far_shmem_team&, T*, const T*, std::size_t),
            shmem_team_t team, T* dest, const T* source, std::size_t n) noexcept {
  return guarded(function, [&] {
    how(team_of(team), dest, source, n);
    return 0;
  });
}

template <class T>
int scanned(const char* function, bool inclusive, shmem_team_t team, T* dest, const T* source,
            std::size_t n) noexcept {
  return guarded(function, [&] {
    scan(team_of(team), dest, source, n, inclusive);
    return 0;
  });
}

template <class T>
void reduced_in_set(const char* function, void (*how)(far_shmem_team&, T*, const T*, std::size_t),
                    T* dest, const T* source, int n, int start, int log_stride, int size) noexcept {
  guarded(function, [&] {
    how(active_set(start, log_stride, size), dest, source, n > 0 ? static_cast<std::size_t>(n) : 0);
  });
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

#define FAR_SHMEM_REDUCTION_BODY(T, N, OP, FOLD)                                                \
  FAR_SHMEM_FUNCTION(int, N##_##OP##_reduce,                                                    \
                     (shmem_team_t team, T * dest, const T* source, size_t nreduce)) {          \
    return reduced<T>("shmem_" #N "_" #OP "_reduce", reduce<T, operation<T>::FOLD>, team, dest, \
                      source, nreduce);                                                         \
  }
#define FAR_SHMEM_BITWISE_REDUCTIONS(A, T, N)  \
  FAR_SHMEM_REDUCTION_BODY(T, N, and, bit_and) \
  FAR_SHMEM_REDUCTION_BODY(T, N, or, bit_or)   \
  FAR_SHMEM_REDUCTION_BODY(T, N, xor, bit_xor)
#define FAR_SHMEM_ORDERED_REDUCTIONS(A, T, N) \
  FAR_SHMEM_REDUCTION_BODY(T, N, max, max)    \
  FAR_SHMEM_REDUCTION_BODY(T, N, min, min)
#define FAR_SHMEM_SUMMED_REDUCTIONS(A, T, N)                                          \
  FAR_SHMEM_REDUCTION_BODY(T, N, sum, sum)                                            \
  FAR_SHMEM_REDUCTION_BODY(T, N, prod, prod)                                          \
  FAR_SHMEM_FUNCTION(int, N##_sum_inscan,                                             \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems)) { \
    return scanned<T>("shmem_" #N "_sum_inscan", true, team, dest, source, nelems);   \
  }                                                                                   \
  FAR_SHMEM_FUNCTION(int, N##_sum_exscan,                                             \
                     (shmem_team_t team, T * dest, const T* source, size_t nelems)) { \
    return scanned<T>("shmem_" #N "_sum_exscan", false, team, dest, source, nelems);  \
  }

FAR_SHMEM_BITWISE(FAR_SHMEM_BITWISE_REDUCTIONS, )
FAR_SHMEM_ORDERED(FAR_SHMEM_ORDERED_REDUCTIONS, )
FAR_SHMEM_SUMMED(FAR_SHMEM_SUMMED_REDUCTIONS, )

// Deprecated: of active sets.
#define FAR_SHMEM_TO_ALL_BODY(T, N, OP, FOLD)                                                     \
  FAR_SHMEM_FUNCTION(void, N##_##OP##_to_all,                                                     \
                     (T * dest, const T* source, int nreduce, FAR_SHMEM_ACTIVE_SET, T* /*pWrk*/,  \
                      long* /*pSync*/)) {                                                         \
    reduced_in_set<T>("shmem_" #N "_" #OP "_to_all", reduce<T, operation<T>::FOLD>, dest, source, \
                      nreduce, PE_start, logPE_stride, PE_size);                                  \
  }
#define FAR_SHMEM_OLD_BITWISE_BODIES(A, T, N) \
  FAR_SHMEM_TO_ALL_BODY(T, N, and, bit_and)   \
  FAR_SHMEM_TO_ALL_BODY(T, N, or, bit_or)     \
  FAR_SHMEM_TO_ALL_BODY(T, N, xor, bit_xor)
#define FAR_SHMEM_OLD_ORDERED_BODIES(A, T, N) \
  FAR_SHMEM_TO_ALL_BODY(T, N, max, max)       \
  FAR_SHMEM_TO_ALL_BODY(T, N, min, min)
#define FAR_SHMEM_OLD_SUMMED_BODIES(A, T, N) \
  FAR_SHMEM_TO_ALL_BODY(T, N, sum, sum)      \
  FAR_SHMEM_TO_ALL_BODY(T, N, prod, prod)

FAR_SHMEM_OLD_BITWISE(FAR_SHMEM_OLD_BITWISE_BODIES, )
FAR_SHMEM_OLD_ORDERED(FAR_SHMEM_OLD_ORDERED_BODIES, )
FAR_SHMEM_OLD_SUMMED(FAR_SHMEM_OLD_SUMMED_BODIES, )
