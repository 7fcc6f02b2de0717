#ifndef FAR_SHMEM_COLLECTIVES_H
#define FAR_SHMEM_COLLECTIVES_H
/* Collectives of teams. P is shmem or pshmem. They return 0. */

#include "far_shmem/constants.h"
#include "far_shmem/types.h"

#define FAR_SHMEM_MOVING_(P, T, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS)              \
  int P##BROADCAST(shmem_team_t team, T* dest, const T* source, size_t nelems, int PE_root);    \
  int P##COLLECT(shmem_team_t team, T* dest, const T* source, size_t nelems);                   \
  int P##FCOLLECT(shmem_team_t team, T* dest, const T* source, size_t nelems);                  \
  int P##ALLTOALL(shmem_team_t team, T* dest, const T* source, size_t nelems);                  \
  int P##ALLTOALLS(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst,   \
                   size_t nelems);
#define FAR_SHMEM_DECLARE_MOVING(P, T, N)                                                    \
  FAR_SHMEM_MOVING_(P, T, _##N##_broadcast, _##N##_collect, _##N##_fcollect, _##N##_alltoall, \
                    _##N##_alltoalls)
#define FAR_SHMEM_DECLARE_MOVING_MEM(P)                                                     \
  FAR_SHMEM_MOVING_(P, void, _broadcastmem, _collectmem, _fcollectmem, _alltoallmem, _alltoallsmem)

#define FAR_SHMEM_REDUCTION_(P, T, N, OP) \
  int P##_##N##_##OP(shmem_team_t team, T* dest, const T* source, size_t nelems);
#define FAR_SHMEM_DECLARE_BITWISE(P, T, N)  \
  FAR_SHMEM_REDUCTION_(P, T, N, and_reduce) \
  FAR_SHMEM_REDUCTION_(P, T, N, or_reduce)  \
  FAR_SHMEM_REDUCTION_(P, T, N, xor_reduce)
#define FAR_SHMEM_DECLARE_ORDERED(P, T, N)  \
  FAR_SHMEM_REDUCTION_(P, T, N, max_reduce) \
  FAR_SHMEM_REDUCTION_(P, T, N, min_reduce)
#define FAR_SHMEM_DECLARE_SUMMED(P, T, N)    \
  FAR_SHMEM_REDUCTION_(P, T, N, sum_reduce)  \
  FAR_SHMEM_REDUCTION_(P, T, N, prod_reduce) \
  FAR_SHMEM_REDUCTION_(P, T, N, sum_inscan)  \
  FAR_SHMEM_REDUCTION_(P, T, N, sum_exscan)

#define FAR_SHMEM_DECLARE_SYNC(P)                                           \
  void P##_barrier_all(void);                                               \
  void P##_sync_all(void);                                                  \
  int P##_team_sync(shmem_team_t team);                                     \
  /* deprecated */                                                          \
  void P##_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync); \
  void P##_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_DECLARE_SYNC(shmem)
FAR_SHMEM_RMA(FAR_SHMEM_DECLARE_MOVING, shmem)
FAR_SHMEM_DECLARE_MOVING_MEM(shmem)
FAR_SHMEM_BITWISE(FAR_SHMEM_DECLARE_BITWISE, shmem)
FAR_SHMEM_ORDERED(FAR_SHMEM_DECLARE_ORDERED, shmem)
FAR_SHMEM_SUMMED(FAR_SHMEM_DECLARE_SUMMED, shmem)
#ifdef __cplusplus
}
#endif

#endif
