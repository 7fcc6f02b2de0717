#ifndef FAR_SHMEM_DEPRECATED_H
#define FAR_SHMEM_DEPRECATED_H
/* What OpenSHMEM has deprecated, and older programs use: collectives of active sets, the names of
 * 1.0 to 1.3, cache control. P is shmem or pshmem. */

#include "far_shmem/constants.h"
#include "far_shmem/types.h"

#define FAR_SHMEM_ACTIVE_SET int PE_start, int logPE_stride, int PE_size

#define FAR_SHMEM_DECLARE_OLD_MOVING(P, BYTES, BITS)                                             \
  void P##_broadcast##BITS(void* dest, const void* source, size_t nelems, int PE_root,           \
                           FAR_SHMEM_ACTIVE_SET, long* pSync);                                   \
  void P##_collect##BITS(void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET,    \
                         long* pSync);                                                           \
  void P##_fcollect##BITS(void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET,   \
                          long* pSync);                                                          \
  void P##_alltoall##BITS(void* dest, const void* source, size_t nelems, FAR_SHMEM_ACTIVE_SET,   \
                          long* pSync);                                                          \
  void P##_alltoalls##BITS(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,         \
                           size_t nelems, FAR_SHMEM_ACTIVE_SET, long* pSync);

#define FAR_SHMEM_TO_ALL_(P, T, N, OP)                                                  \
  void P##_##N##_##OP(T* dest, const T* source, int nreduce, FAR_SHMEM_ACTIVE_SET, \
                               T* pWrk, long* pSync);
#define FAR_SHMEM_DECLARE_OLD_BITWISE(P, T, N) \
  FAR_SHMEM_TO_ALL_(P, T, N, and_to_all)              \
  FAR_SHMEM_TO_ALL_(P, T, N, or_to_all)               \
  FAR_SHMEM_TO_ALL_(P, T, N, xor_to_all)
#define FAR_SHMEM_DECLARE_OLD_ORDERED(P, T, N) \
  FAR_SHMEM_TO_ALL_(P, T, N, max_to_all)              \
  FAR_SHMEM_TO_ALL_(P, T, N, min_to_all)
#define FAR_SHMEM_DECLARE_OLD_SUMMED(P, T, N) \
  FAR_SHMEM_TO_ALL_(P, T, N, sum_to_all)             \
  FAR_SHMEM_TO_ALL_(P, T, N, prod_to_all)

#define FAR_SHMEM_DECLARE_OLD_WAIT(P, T, N) void P##_##N##_wait(T* ivar, T cmp_value);

#define FAR_SHMEM_DECLARE_OLD_EXTENDED_AMO(P, T, N) \
  T P##_##N##_fetch(const T* source, int pe);       \
  void P##_##N##_set(T* dest, T value, int pe);     \
  T P##_##N##_swap(T* dest, T value, int pe);
#define FAR_SHMEM_DECLARE_OLD_AMO(P, T, N)              \
  T P##_##N##_cswap(T* dest, T cond, T value, int pe);  \
  T P##_##N##_finc(T* dest, int pe);                    \
  void P##_##N##_inc(T* dest, int pe);                  \
  T P##_##N##_fadd(T* dest, T value, int pe);           \
  void P##_##N##_add(T* dest, T value, int pe);

#define FAR_SHMEM_DECLARE_OLD_WAITS(P)                       \
  void P##_wait_until(long* ivar, int cmp, long cmp_value);  \
  void P##_wait(long* ivar, long cmp_value);

#define FAR_SHMEM_DECLARE_CACHE(P)          \
  void P##_set_cache_inv(void);             \
  void P##_set_cache_line_inv(void* dest);  \
  void P##_clear_cache_inv(void);           \
  void P##_clear_cache_line_inv(void* dest); \
  void P##_udcflush(void);                  \
  void P##_udcflush_line(void* dest);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_DECLARE_OLD_MOVING(shmem, 4, 32)
FAR_SHMEM_DECLARE_OLD_MOVING(shmem, 8, 64)
FAR_SHMEM_OLD_BITWISE(FAR_SHMEM_DECLARE_OLD_BITWISE, shmem)
FAR_SHMEM_OLD_ORDERED(FAR_SHMEM_DECLARE_OLD_ORDERED, shmem)
FAR_SHMEM_OLD_SUMMED(FAR_SHMEM_DECLARE_OLD_SUMMED, shmem)
FAR_SHMEM_OLD_SYNC(FAR_SHMEM_DECLARE_OLD_WAIT, shmem)
FAR_SHMEM_EXTENDED_AMO(FAR_SHMEM_DECLARE_OLD_EXTENDED_AMO, shmem)
FAR_SHMEM_AMO(FAR_SHMEM_DECLARE_OLD_AMO, shmem)
FAR_SHMEM_DECLARE_OLD_WAITS(shmem)
FAR_SHMEM_DECLARE_CACHE(shmem)

void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void* shmalloc(size_t size);
void shfree(void* ptr);
void* shrealloc(void* ptr, size_t size);
void* shmemalign(size_t alignment, size_t size);
#ifdef __cplusplus
}
#endif

#endif
