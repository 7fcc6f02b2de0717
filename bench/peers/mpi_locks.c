/* An empty passive epoch: MPI_Win_lock of another process's window, and unlock. */

#include "mpi_peer.h"

static MPI_Win window = MPI_WIN_NULL;
static uint64_t* memory;

/* Opens a separate window: the others are permanently locked by MPI_Win_lock_all. */
static void open_for_locks(void) {
  if (window != MPI_WIN_NULL) return;
  MPI_Win_allocate(sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
}

static void lock_as(int type, long count) {
  if (rank != 0) return;
  for (long i = 0; i < count; ++i) {
    MPI_Win_lock(type, 1, 0, window);
    MPI_Win_unlock(1, window);
  }
}

static void run_exclusive(long count) { lock_as(MPI_LOCK_EXCLUSIVE, count); }
static void run_shared(long count) { lock_as(MPI_LOCK_SHARED, count); }

const struct operation lock_operations[] = {
    {"lock_exclusive", 2, open_for_locks, run_exclusive},
    {"lock_shared", 2, open_for_locks, run_shared},
    {NULL, 0, NULL, NULL},
};

void close_locks(void) {
  if (window != MPI_WIN_NULL) MPI_Win_free(&window);
}
