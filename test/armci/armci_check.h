/* What the programs that call ARMCI directly share. Every check says what is wrong; the number of
 * checks is printed, so that two implementations can be compared. */
#ifndef FAR_TEST_ARMCI_CHECK_H
#define FAR_TEST_ARMCI_CHECK_H

#include <armci.h>
#include <message.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, procs, checks, failures;

#define CHECK(holds)                                                    \
  do {                                                                  \
    ++checks;                                                           \
    if (!(holds)) {                                                     \
      ++failures;                                                       \
      printf("wrong on rank %d: %s (line %d)\n", me, #holds, __LINE__); \
    }                                                                   \
  } while (0)

static inline int right(void) { return (me + 1) % procs; }
static inline int left(void) { return (me + procs - 1) % procs; }

static inline void begin(int argc, char** argv) {
  armci_msg_init(&argc, &argv); /* as MPI_Init, which the other programs call */
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  CHECK(ARMCI_Initialized() == 0);
  /* Messages are there before ARMCI is. */
  CHECK(armci_msg_me() == me && armci_msg_nproc() == procs);
  int all = 1, first = me + 7;
  armci_msg_igop(&all, 1, "+");
  armci_msg_bcast(&first, sizeof first, 0);
  armci_msg_barrier();
  CHECK(all == procs && first == 7);
  CHECK(ARMCI_Init() == 0);
}

/* Returns the status of the program. */
static inline int end(void) {
  CHECK(ARMCI_Finalize() == 0);
  CHECK(armci_msg_nproc() == procs);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("%d checks on rank 0, %d failures\n", checks, failures);
  armci_msg_finalize();
  return failures != 0;
}

#endif
