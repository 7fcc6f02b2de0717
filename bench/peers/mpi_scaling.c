/* What all ranks do at the same time, for `far bench scaling`. Each loop ends when all have. */

#include <stdlib.h>

#include "mpi_peer.h"

enum { word_bits = 20, piece_words = 1024 }; /* 8 MB of each rank; pieces of 8 KB */

static MPI_Win words = MPI_WIN_NULL; /* permanently locked for all ranks */
static MPI_Win locked = MPI_WIN_NULL;
static uint64_t *own_words, *own_locked, *from, *to;
static uint64_t state;

static void open_words(void) {
  if (words != MPI_WIN_NULL) return;
  words = open_window((size_t)1 << word_bits, &own_words);
  state = (uint64_t)rank * 0x9e3779b97f4a7c15u + 1;
}

static void open_locked(void) {
  if (locked != MPI_WIN_NULL) return;
  MPI_Win_allocate(sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &own_locked,
                   &locked);
}

static void open_pieces(void) {
  if (from != NULL) return;
  from = calloc((size_t)size * piece_words, sizeof(*from));
  to = calloc((size_t)size * piece_words, sizeof(*to));
}

static uint64_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state;
}
static MPI_Aint place_of(uint64_t random) { return (MPI_Aint)(random >> (64 - word_bits)); }
static int rank_of(uint64_t random) {
  return (int)(((random >> 20 & 0xffffff) * (uint64_t)size) >> 24);
}

static void add(int target, MPI_Aint place) {
  const uint64_t one = 1;
  uint64_t old = 0;
  MPI_Fetch_and_op(&one, &old, MPI_UINT64_T, target, place, MPI_SUM, words);
  MPI_Win_flush(target, words);
  sink = old;
}

static void run_add(long count) {
  for (long i = 0; i < count; ++i) {
    const uint64_t random = next_random();
    add(rank_of(random), place_of(random));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_add_one(long count) {
  for (long i = 0; i < count; ++i) add(0, 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_get(long count) {
  uint64_t sum = 0;
  for (long i = 0; i < count; ++i) {
    const uint64_t random = next_random();
    uint64_t value = 0;
    MPI_Get(&value, 1, MPI_UINT64_T, rank_of(random), place_of(random), 1, MPI_UINT64_T, words);
    MPI_Win_flush(rank_of(random), words);
    sum += value;
  }
  sink = sum;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_lock(long count) {
  for (long i = 0; i < count; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, locked);
    MPI_Win_unlock(0, locked);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_allreduce(long count) {
  for (long i = 0; i < count; ++i) {
    uint64_t mine = 1, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    sink = all;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_broadcast(long count) {
  for (long i = 0; i < count; ++i) {
    uint64_t value = (uint64_t)i;
    MPI_Bcast(&value, 1, MPI_UINT64_T, (int)(i % size), MPI_COMM_WORLD);
    sink = value;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_alltoall(long count) {
  for (long i = 0; i < count; ++i) {
    MPI_Alltoall(from, piece_words, MPI_UINT64_T, to, piece_words, MPI_UINT64_T, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

const struct operation scaling_operations[] = {
    {"all_fetch_and_op", 1, open_words, run_add},
    {"all_fetch_and_op_one", 1, open_words, run_add_one},
    {"all_get", 1, open_words, run_get},
    {"all_lock_one", 1, open_locked, run_lock},
    {"all_allreduce", 1, NULL, run_allreduce},
    {"all_broadcast", 1, NULL, run_broadcast},
    {"all_alltoall", 1, open_pieces, run_alltoall},
    {NULL, 0, NULL, NULL},
};

void close_scaling(void) {
  if (words != MPI_WIN_NULL) close_window(&words);
  if (locked != MPI_WIN_NULL) MPI_Win_free(&locked);
  free(from);
  free(to);
}
