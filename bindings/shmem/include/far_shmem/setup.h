#ifndef FAR_SHMEM_SETUP_H
#define FAR_SHMEM_SETUP_H
/* Starting and ending, who is who, memory, order, locks. P is shmem or pshmem. */

#include <stddef.h>
#include <stdint.h>

#include "far_shmem/constants.h"

#define FAR_SHMEM_DECLARE_SETUP(P)                                            \
  void P##_init(void);                                                        \
  int P##_init_thread(int requested, int* provided);                          \
  void P##_finalize(void);                                                    \
  void P##_query_initialized(int* initialized);                               \
  void P##_query_thread(int* provided);                                       \
  void P##_global_exit(int status) __attribute__((noreturn));                 \
  void P##_info_get_version(int* major, int* minor);                          \
  void P##_info_get_name(char* name);                                         \
  int P##_my_pe(void);                                                        \
  int P##_n_pes(void);                                                        \
  int P##_pe_accessible(int pe);                                              \
  int P##_addr_accessible(const void* addr, int pe);                          \
  void* P##_ptr(const void* dest, int pe);                                    \
  void* P##_team_ptr(shmem_team_t team, const void* dest, int pe);            \
                                                                              \
  void* P##_malloc(size_t size);                                              \
  void* P##_malloc_with_hints(size_t size, long hints);                       \
  void* P##_calloc(size_t count, size_t size);                                \
  void* P##_align(size_t alignment, size_t size);                             \
  void* P##_realloc(void* ptr, size_t size);                                  \
  void P##_free(void* ptr);                                                   \
                                                                              \
  void P##_fence(void);                                                       \
  void P##_quiet(void);                                                       \
  void P##_pe_quiet(const int* target_pes, size_t npes);                      \
  void P##_ctx_fence(shmem_ctx_t ctx);                                        \
  void P##_ctx_quiet(shmem_ctx_t ctx);                                        \
  void P##_ctx_pe_quiet(shmem_ctx_t ctx, const int* target_pes, size_t npes); \
                                                                              \
  void P##_set_lock(long* lock);                                              \
  void P##_clear_lock(long* lock);                                            \
  int P##_test_lock(long* lock);

#ifdef __cplusplus
extern "C" {
#endif
FAR_SHMEM_DECLARE_SETUP(shmem)
/* A no-op: profilers define it. */
void shmem_pcontrol(int level, ...);
#ifdef __cplusplus
}
#endif

#endif
