#ifndef TEST_SHMEM_CHECK_H
#define TEST_SHMEM_CHECK_H
/* What the test programs share: CHECK ends the job with status 1 where its condition is false. */

#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: PE %d of %d: %s\n", __FILE__, __LINE__, shmem_my_pe(),          \
              shmem_n_pes(), #condition);                                                     \
      shmem_global_exit(1);                                                                   \
    }                                                                                         \
  } while (0)

/* The PEs before and after this one. */
static inline int next_pe(void) { return (shmem_my_pe() + 1) % shmem_n_pes(); }
static inline int previous_pe(void) { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

#endif
