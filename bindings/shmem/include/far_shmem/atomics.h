#ifndef FAR_SHMEM_ATOMICS_H
#define FAR_SHMEM_ATOMICS_H
/* Atomic operations. P is shmem or pshmem. */

#include "far_shmem/constants.h"
#include "far_shmem/transfers.h"
#include "far_shmem/types.h"

/* N is the name after P: _int, or _ctx_int. */
#define FAR_SHMEM_EXTENDED_AMO_(P, CTX, T, N)                          \
  T P##N##_atomic_fetch(CTX const T* source, int pe);                  \
  void P##N##_atomic_set(CTX T* dest, T value, int pe);                \
  T P##N##_atomic_swap(CTX T* dest, T value, int pe);                  \
  void P##N##_atomic_fetch_nbi(CTX T* fetch, const T* source, int pe); \
  void P##N##_atomic_swap_nbi(CTX T* fetch, T* dest, T value, int pe);
#define FAR_SHMEM_AMO_(P, CTX, T, N)                                                       \
  T P##N##_atomic_compare_swap(CTX T* dest, T cond, T value, int pe);                      \
  T P##N##_atomic_fetch_inc(CTX T* dest, int pe);                                          \
  void P##N##_atomic_inc(CTX T* dest, int pe);                                             \
  T P##N##_atomic_fetch_add(CTX T* dest, T value, int pe);                                 \
  void P##N##_atomic_add(CTX T* dest, T value, int pe);                                    \
  void P##N##_atomic_compare_swap_nbi(CTX T* fetch, T* dest, T cond, T value, int pe);     \
  void P##N##_atomic_fetch_inc_nbi(CTX T* fetch, T* dest, int pe);                         \
  void P##N##_atomic_fetch_add_nbi(CTX T* fetch, T* dest, T value, int pe);
#define FAR_SHMEM_BITWISE_AMO_(P, CTX, T, N)                                \
  T P##N##_atomic_fetch_and(CTX T* dest, T value, int pe);                  \
  T P##N##_atomic_fetch_or(CTX T* dest, T value, int pe);                   \
  T P##N##_atomic_fetch_xor(CTX T* dest, T value, int pe);                  \
  void P##N##_atomic_and(CTX T* dest, T value, int pe);                     \
  void P##N##_atomic_or(CTX T* dest, T value, int pe);                      \
  void P##N##_atomic_xor(CTX T* dest, T value, int pe);                     \
  void P##N##_atomic_fetch_and_nbi(CTX T* fetch, T* dest, T value, int pe); \
  void P##N##_atomic_fetch_or_nbi(CTX T* fetch, T* dest, T value, int pe);  \
  void P##N##_atomic_fetch_xor_nbi(CTX T* fetch, T* dest, T value, int pe);

#define FAR_SHMEM_DECLARE_EXTENDED_AMO(P, T, NAME)             \
  FAR_SHMEM_EXTENDED_AMO_(P, FAR_SHMEM_NO_CTX, T, _##NAME)     \
  FAR_SHMEM_EXTENDED_AMO_(P, FAR_SHMEM_WITH_CTX, T, _ctx_##NAME)
#define FAR_SHMEM_DECLARE_AMO(P, T, NAME)             \
  FAR_SHMEM_AMO_(P, FAR_SHMEM_NO_CTX, T, _##NAME)     \
  FAR_SHMEM_AMO_(P, FAR_SHMEM_WITH_CTX, T, _ctx_##NAME)
#define FAR_SHMEM_DECLARE_BITWISE_AMO(P, T, NAME)             \
  FAR_SHMEM_BITWISE_AMO_(P, FAR_SHMEM_NO_CTX, T, _##NAME)     \
  FAR_SHMEM_BITWISE_AMO_(P, FAR_SHMEM_WITH_CTX, T, _ctx_##NAME)

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_EXTENDED_AMO(FAR_SHMEM_DECLARE_EXTENDED_AMO, shmem)
FAR_SHMEM_AMO(FAR_SHMEM_DECLARE_AMO, shmem)
FAR_SHMEM_BITWISE_AMO(FAR_SHMEM_DECLARE_BITWISE_AMO, shmem)
#ifdef __cplusplus
}
#endif

#endif
