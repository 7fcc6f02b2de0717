#ifndef FAR_SHMEM_OVERLOADS_H
#define FAR_SHMEM_OVERLOADS_H
// The names without a type, in C++: overloads, from the same table as C11's selections.

#include <complex>
#include <cstddef>
#include <cstdint>

#include "far_shmem/types.h"

// FAR_SHMEM_BOTH_(R, OP, N, (parameters), (arguments)): with and without a context.
#define FAR_SHMEM_UNPACK_(...) __VA_ARGS__
#define FAR_SHMEM_ONE_(R, OP, N, PARAMETERS, ARGUMENTS) \
  inline R shmem_##OP PARAMETERS { return shmem_##N##_##OP ARGUMENTS; }
#define FAR_SHMEM_BOTH_(R, OP, N, PARAMETERS, ARGUMENTS)                        \
  FAR_SHMEM_ONE_(R, OP, N, PARAMETERS, ARGUMENTS)                               \
  inline R shmem_##OP(shmem_ctx_t ctx, FAR_SHMEM_UNPACK_ PARAMETERS) {          \
    return shmem_ctx_##N##_##OP(ctx, FAR_SHMEM_UNPACK_ ARGUMENTS);              \
  }

#define FAR_SHMEM_OVERLOAD_TRANSFERS_(A, T, N) \
  FAR_SHMEM_BOTH_(void, put, N, (T* dest, const T* source, std::size_t nelems, int pe), \
      (dest, source, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, get, N, (T* dest, const T* source, std::size_t nelems, int pe), \
      (dest, source, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, put_nbi, N, (T* dest, const T* source, std::size_t nelems, int pe), \
      (dest, source, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, get_nbi, N, (T* dest, const T* source, std::size_t nelems, int pe), \
      (dest, source, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, iput, N, (T* dest, const T* source, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems, int pe), \
      (dest, source, dst, sst, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, iget, N, (T* dest, const T* source, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems, int pe), \
      (dest, source, dst, sst, nelems, pe)) \
  FAR_SHMEM_BOTH_(void, ibput, N, (T* dest, const T* source, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t bsize, std::size_t nblocks, int pe), \
      (dest, source, dst, sst, bsize, nblocks, pe)) \
  FAR_SHMEM_BOTH_(void, ibget, N, (T* dest, const T* source, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t bsize, std::size_t nblocks, int pe), \
      (dest, source, dst, sst, bsize, nblocks, pe)) \
  FAR_SHMEM_BOTH_(void, put_signal, N, (T* dest, const T* source, std::size_t nelems, std::uint64_t* sig_addr, std::uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe)) \
  FAR_SHMEM_BOTH_(void, put_signal_nbi, N, (T* dest, const T* source, std::size_t nelems, std::uint64_t* sig_addr, std::uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe)) \
  FAR_SHMEM_BOTH_(void, p, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(T, g, N, (const T* source, int pe), \
      (source, pe))

#define FAR_SHMEM_OVERLOAD_EXTENDED_AMO_(A, T, N) \
  FAR_SHMEM_BOTH_(T, atomic_fetch, N, (const T* source, int pe), \
      (source, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_set, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(T, atomic_swap, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_nbi, N, (T* fetch, const T* source, int pe), \
      (fetch, source, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_swap_nbi, N, (T* fetch, T* dest, T value, int pe), \
      (fetch, dest, value, pe))

#define FAR_SHMEM_OVERLOAD_AMO_(A, T, N) \
  FAR_SHMEM_BOTH_(T, atomic_compare_swap, N, (T* dest, T cond, T value, int pe), \
      (dest, cond, value, pe)) \
  FAR_SHMEM_BOTH_(T, atomic_fetch_inc, N, (T* dest, int pe), \
      (dest, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_inc, N, (T* dest, int pe), \
      (dest, pe)) \
  FAR_SHMEM_BOTH_(T, atomic_fetch_add, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_add, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_compare_swap_nbi, N, (T* fetch, T* dest, T cond, T value, int pe), \
      (fetch, dest, cond, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_inc_nbi, N, (T* fetch, T* dest, int pe), \
      (fetch, dest, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_add_nbi, N, (T* fetch, T* dest, T value, int pe), \
      (fetch, dest, value, pe))

#define FAR_SHMEM_OVERLOAD_BITWISE_AMO_(A, T, N) \
  FAR_SHMEM_BOTH_(T, atomic_fetch_and, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(T, atomic_fetch_or, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(T, atomic_fetch_xor, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_and, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_or, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_xor, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_and_nbi, N, (T* fetch, T* dest, T value, int pe), \
      (fetch, dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_or_nbi, N, (T* fetch, T* dest, T value, int pe), \
      (fetch, dest, value, pe)) \
  FAR_SHMEM_BOTH_(void, atomic_fetch_xor_nbi, N, (T* fetch, T* dest, T value, int pe), \
      (fetch, dest, value, pe))

#define FAR_SHMEM_OVERLOAD_WAITING_(A, T, N) \
  FAR_SHMEM_ONE_(void, wait_until, N, (T* ivar, int cmp, T cmp_value), \
      (ivar, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(int, test, N, (T* ivar, int cmp, T cmp_value), \
      (ivar, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(void, wait_until_all, N, (T* ivars, std::size_t nelems, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(std::size_t, wait_until_any, N, (T* ivars, std::size_t nelems, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(std::size_t, wait_until_some, N, (T* ivars, std::size_t nelems, std::size_t* indices, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, indices, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(void, wait_until_all_vector, N, (T* ivars, std::size_t nelems, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, status, cmp, cmp_values)) \
  FAR_SHMEM_ONE_(std::size_t, wait_until_any_vector, N, (T* ivars, std::size_t nelems, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, status, cmp, cmp_values)) \
  FAR_SHMEM_ONE_(std::size_t, wait_until_some_vector, N, (T* ivars, std::size_t nelems, std::size_t* indices, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, indices, status, cmp, cmp_values)) \
  FAR_SHMEM_ONE_(int, test_all, N, (T* ivars, std::size_t nelems, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(std::size_t, test_any, N, (T* ivars, std::size_t nelems, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(std::size_t, test_some, N, (T* ivars, std::size_t nelems, std::size_t* indices, const int* status, int cmp, T cmp_value), \
      (ivars, nelems, indices, status, cmp, cmp_value)) \
  FAR_SHMEM_ONE_(int, test_all_vector, N, (T* ivars, std::size_t nelems, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, status, cmp, cmp_values)) \
  FAR_SHMEM_ONE_(std::size_t, test_any_vector, N, (T* ivars, std::size_t nelems, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, status, cmp, cmp_values)) \
  FAR_SHMEM_ONE_(std::size_t, test_some_vector, N, (T* ivars, std::size_t nelems, std::size_t* indices, const int* status, int cmp, const T* cmp_values), \
      (ivars, nelems, indices, status, cmp, cmp_values))

#define FAR_SHMEM_OVERLOAD_MOVING_(A, T, N) \
  FAR_SHMEM_ONE_(int, broadcast, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems, int PE_root), \
      (team, dest, source, nelems, PE_root)) \
  FAR_SHMEM_ONE_(int, collect, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, fcollect, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, alltoall, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, alltoalls, N, (shmem_team_t team, T* dest, const T* source, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems), \
      (team, dest, source, dst, sst, nelems))

#define FAR_SHMEM_OVERLOAD_BITWISE_(A, T, N) \
  FAR_SHMEM_ONE_(int, and_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, or_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, xor_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems))

#define FAR_SHMEM_OVERLOAD_ORDERED_(A, T, N) \
  FAR_SHMEM_ONE_(int, max_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, min_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems))

#define FAR_SHMEM_OVERLOAD_SUMMED_(A, T, N) \
  FAR_SHMEM_ONE_(int, sum_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, prod_reduce, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, sum_inscan, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems)) \
  FAR_SHMEM_ONE_(int, sum_exscan, N, (shmem_team_t team, T* dest, const T* source, std::size_t nelems), \
      (team, dest, source, nelems))

#define FAR_SHMEM_OVERLOAD_OLD_EXTENDED_AMO_(A, T, N) \
  FAR_SHMEM_ONE_(T, fetch, N, (const T* source, int pe), \
      (source, pe)) \
  FAR_SHMEM_ONE_(void, set, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_ONE_(T, swap, N, (T* dest, T value, int pe), \
      (dest, value, pe))

#define FAR_SHMEM_OVERLOAD_OLD_AMO_(A, T, N) \
  FAR_SHMEM_ONE_(T, cswap, N, (T* dest, T cond, T value, int pe), \
      (dest, cond, value, pe)) \
  FAR_SHMEM_ONE_(T, finc, N, (T* dest, int pe), \
      (dest, pe)) \
  FAR_SHMEM_ONE_(void, inc, N, (T* dest, int pe), \
      (dest, pe)) \
  FAR_SHMEM_ONE_(T, fadd, N, (T* dest, T value, int pe), \
      (dest, value, pe)) \
  FAR_SHMEM_ONE_(void, add, N, (T* dest, T value, int pe), \
      (dest, value, pe))

FAR_SHMEM_DISTINCT_RMA(FAR_SHMEM_OVERLOAD_TRANSFERS_, )
FAR_SHMEM_DISTINCT_EXTENDED_AMO(FAR_SHMEM_OVERLOAD_EXTENDED_AMO_, )
FAR_SHMEM_DISTINCT_AMO(FAR_SHMEM_OVERLOAD_AMO_, )
FAR_SHMEM_DISTINCT_BITWISE_AMO(FAR_SHMEM_OVERLOAD_BITWISE_AMO_, )
FAR_SHMEM_DISTINCT_SYNC(FAR_SHMEM_OVERLOAD_WAITING_, )
FAR_SHMEM_DISTINCT_RMA(FAR_SHMEM_OVERLOAD_MOVING_, )
FAR_SHMEM_DISTINCT_BITWISE(FAR_SHMEM_OVERLOAD_BITWISE_, )
FAR_SHMEM_DISTINCT_ORDERED(FAR_SHMEM_OVERLOAD_ORDERED_, )
FAR_SHMEM_DISTINCT_SUMMED(FAR_SHMEM_OVERLOAD_SUMMED_, )
FAR_SHMEM_DISTINCT_EXTENDED_AMO(FAR_SHMEM_OVERLOAD_OLD_EXTENDED_AMO_, )
FAR_SHMEM_DISTINCT_AMO(FAR_SHMEM_OVERLOAD_OLD_AMO_, )

// std::complex<T> and T _Complex have the same representation.
#define FAR_SHMEM_STD_COMPLEX_(T, N, OP)                                                          \
  inline int shmem_##OP(shmem_team_t team, std::complex<T>* dest, const std::complex<T>* source,  \
                        std::size_t nelems) {                                                     \
    return shmem_##N##_##OP(team, reinterpret_cast<far_shmem_##N*>(dest),                         \
                            reinterpret_cast<const far_shmem_##N*>(source), nelems);              \
  }
FAR_SHMEM_STD_COMPLEX_(double, complexd, sum_reduce)
FAR_SHMEM_STD_COMPLEX_(double, complexd, prod_reduce)
FAR_SHMEM_STD_COMPLEX_(double, complexd, sum_inscan)
FAR_SHMEM_STD_COMPLEX_(double, complexd, sum_exscan)
FAR_SHMEM_STD_COMPLEX_(float, complexf, sum_reduce)
FAR_SHMEM_STD_COMPLEX_(float, complexf, prod_reduce)
FAR_SHMEM_STD_COMPLEX_(float, complexf, sum_inscan)
FAR_SHMEM_STD_COMPLEX_(float, complexf, sum_exscan)

inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
inline void shmem_signal_set(shmem_ctx_t ctx, std::uint64_t* sig_addr, std::uint64_t signal,
                             int pe) {
  shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_add(shmem_ctx_t ctx, std::uint64_t* sig_addr, std::uint64_t signal,
                             int pe) {
  shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}

#endif
