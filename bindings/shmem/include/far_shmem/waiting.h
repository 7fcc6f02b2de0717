#ifndef FAR_SHMEM_WAITING_H
#define FAR_SHMEM_WAITING_H
/* Waiting for words of the PE's own memory. P is shmem or pshmem. */

#include "far_shmem/constants.h"
#include "far_shmem/types.h"

#define FAR_SHMEM_IVARS(T) T *ivars, size_t nelems
#define FAR_SHMEM_CHOSEN const int *status, int cmp

#define FAR_SHMEM_DECLARE_WAITING(P, T, N)                                                       \
  void P##_##N##_wait_until(T* ivar, int cmp, T cmp_value);                                      \
  void P##_##N##_wait_until_all(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, T cmp_value);              \
  size_t P##_##N##_wait_until_any(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, T cmp_value);            \
  size_t P##_##N##_wait_until_some(FAR_SHMEM_IVARS(T), size_t* indices, FAR_SHMEM_CHOSEN,        \
                                   T cmp_value);                                                 \
  void P##_##N##_wait_until_all_vector(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN,                     \
                                       const T* cmp_values);                                     \
  size_t P##_##N##_wait_until_any_vector(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN,                   \
                                         const T* cmp_values);                                   \
  size_t P##_##N##_wait_until_some_vector(FAR_SHMEM_IVARS(T), size_t* indices, FAR_SHMEM_CHOSEN, \
                                          const T* cmp_values);                                  \
  int P##_##N##_test(T* ivar, int cmp, T cmp_value);                                             \
  int P##_##N##_test_all(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, T cmp_value);                     \
  size_t P##_##N##_test_any(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, T cmp_value);                  \
  size_t P##_##N##_test_some(FAR_SHMEM_IVARS(T), size_t* indices, FAR_SHMEM_CHOSEN, T cmp_value); \
  int P##_##N##_test_all_vector(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, const T* cmp_values);      \
  size_t P##_##N##_test_any_vector(FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, const T* cmp_values);   \
  size_t P##_##N##_test_some_vector(FAR_SHMEM_IVARS(T), size_t* indices, FAR_SHMEM_CHOSEN,       \
                                    const T* cmp_values);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_SYNC(FAR_SHMEM_DECLARE_WAITING, shmem)
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);
#ifdef __cplusplus
}
#endif

#endif
