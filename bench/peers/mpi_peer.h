/* Shared by the files of mpi_peer. */
#ifndef FAR_BENCH_MPI_PEER_H
#define FAR_BENCH_MPI_PEER_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

extern int rank, size;
extern volatile uint64_t sink; /* receives results: keeps compilers from removing code */

struct operation {
  const char* name;
  int min_ranks;
  void (*prepare)(void);   /* before each round, not timed, on all ranks; or NULL */
  void (*run)(long count); /* repeats the operation */
};

/* Collective: opens a window of zeroed words on each rank, locked once for all ranks. */
MPI_Win open_window(size_t words, uint64_t** mine);
void close_window(MPI_Win* opened);

/* In mpi_containers.c; the last entry has no name. */
extern const struct operation container_operations[];
void close_containers(void); /* collective */

/* In mpi_locks.c. */
extern const struct operation lock_operations[];
void close_locks(void); /* collective */

/* In mpi_scaling.c. */
extern const struct operation scaling_operations[];
void close_scaling(void); /* collective */

#endif
