/* What the files of mpi_peer share. */
#ifndef FAR_BENCH_MPI_PEER_H
#define FAR_BENCH_MPI_PEER_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

extern int rank, size;
extern volatile uint64_t sink; /* takes results, so that no compiler leaves out what made them */

struct operation {
  const char *name;
  int least_ranks;
  void (*prepare)(void);    /* before each round, not timed, on all ranks; or NULL */
  void (*run)(long count);  /* does it so many times */
};

/* Collective: zeroed memory of so many words of each rank, locked once for all. */
MPI_Win open_window(size_t words, uint64_t **mine);
void close_window(MPI_Win *opened);

/* Of mpi_containers.c; the last has no name. */
extern const struct operation container_operations[];
void close_containers(void); /* collective */

/* Of mpi_locks.c. */
extern const struct operation lock_operations[];
void close_locks(void); /* collective */

#endif
