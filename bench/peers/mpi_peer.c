/* The same work as a user of MPI-3 would write it, to compare libfar with.
 *
 * usage: mpirun -n N mpi_peer OPERATION...
 * Operations: put get fetch_and_op compare_and_swap (N >= 2; rank 0 accesses the memory of rank 1),
 * round_trip (N >= 2; an 8-byte message there and back), barrier, and those of
 * mpi_containers.c, mpi_locks.c and mpi_scaling.c.
 * Output: "operation nanoseconds" lines, medians over rounds.
 *
 * MPI allocates the window, which enables the libraries' fast paths (shared memory). The window is
 * locked once for all ranks, and each operation is flushed separately. The addresses are random
 * words of 8 MB, generated as in bench/harness/random_places.hpp. */

#include "mpi_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_rounds = 41, few_rounds = 5, place_bits = 20 }; /* 2^20 words of 8 bytes */
static const double round_ns = 5e5;
static const double enough_ns = 2e9; /* max time of an operation's rounds, on a busy machine */

int rank, size;
volatile uint64_t sink;

static MPI_Win window;
static uint64_t* memory;
static uint64_t state = 1;

static MPI_Aint next_place(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (MPI_Aint)(state >> (64 - place_bits));
}

/* Each of these repeats an operation `count` times. */

static void run_put(long count) {
  if (rank != 0) return;
  for (long i = 0; i < count; ++i) {
    const uint64_t value = (uint64_t)i;
    MPI_Put(&value, 1, MPI_UINT64_T, 1, next_place(), 1, MPI_UINT64_T, window);
    MPI_Win_flush(1, window);
  }
}

static void run_get(long count) {
  uint64_t sum = 0;
  if (rank != 0) return;
  for (long i = 0; i < count; ++i) {
    uint64_t value = 0;
    MPI_Get(&value, 1, MPI_UINT64_T, 1, next_place(), 1, MPI_UINT64_T, window);
    MPI_Win_flush(1, window);
    sum += value;
  }
  sink = sum;
}

static void run_fetch_and_op(long count) {
  const uint64_t one = 1;
  uint64_t sum = 0;
  if (rank != 0) return;
  for (long i = 0; i < count; ++i) {
    uint64_t old = 0;
    MPI_Fetch_and_op(&one, &old, MPI_UINT64_T, 1, next_place(), MPI_SUM, window);
    MPI_Win_flush(1, window);
    sum += old;
  }
  sink = sum;
}

static void run_compare_and_swap(long count) {
  uint64_t sum = 0;
  if (rank != 0) return;
  for (long i = 0; i < count; ++i) {
    const uint64_t expected = 0, desired = (uint64_t)i;
    uint64_t old = 0;
    MPI_Compare_and_swap(&desired, &expected, &old, MPI_UINT64_T, 1, next_place(), window);
    MPI_Win_flush(1, window);
    sum += old;
  }
  sink = sum;
}

static void run_round_trip(long count) {
  uint64_t value = 0;
  if (rank > 1) return;
  for (long i = 0; i < count; ++i) {
    if (rank == 0) MPI_Send(&value, 1, MPI_UINT64_T, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_UINT64_T, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&value, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
  }
}

static void run_barrier(long count) {
  for (long i = 0; i < count; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

static const struct operation operations[] = {
    {"put", 2, NULL, run_put},
    {"get", 2, NULL, run_get},
    {"fetch_and_op", 2, NULL, run_fetch_and_op},
    {"compare_and_swap", 2, NULL, run_compare_and_swap},
    {"round_trip", 2, NULL, run_round_trip},
    {"barrier", 1, NULL, run_barrier},
};

/* Nanoseconds that `count` operations take rank 0. */
static double timed(const struct operation* what, long count) {
  double start, end;
  if (what->prepare != NULL) what->prepare();
  MPI_Barrier(MPI_COMM_WORLD);
  what->run((count + 3) / 4); /* warm-up, as for libfar */
  start = MPI_Wtime();
  what->run(count);
  end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e9;
}

static int by_value(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void measure(const struct operation* what) {
  double times[max_rounds];
  long count = 1;
  int rounds; /* 0 while `count` operations are too few */
  for (;;) {
    /* Use the best of three tries: another program may have had the core during one of them. */
    double ns = timed(what, count);
    for (int i = 0; i < 2; ++i) {
      const double again = timed(what, count);
      if (again < ns) ns = again;
    }
    rounds = ns < round_ns ? 0 : ns > 20 * round_ns ? few_rounds : max_rounds;
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the clock of rank 0 decides for all */
    if (rounds != 0) break;
    count *= 2;
  }
  double spent = 0;
  for (int i = 0; i < rounds; ++i) {
    const double ns = timed(what, count);
    times[i] = ns / (double)count;
    spent += ns;
    if (i + 1 >= few_rounds && spent > enough_ns) rounds = i + 1;
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  qsort(times, (size_t)rounds, sizeof(times[0]), by_value);
  if (rank == 0) printf("%s %.3f\n", what->name, times[rounds / 2]);
}

static const struct operation* find(const char* name) {
  for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); ++i) {
    if (strcmp(name, operations[i].name) == 0) return &operations[i];
  }
  for (const struct operation* o = container_operations; o->name != NULL; ++o) {
    if (strcmp(name, o->name) == 0) return o;
  }
  for (const struct operation* o = lock_operations; o->name != NULL; ++o) {
    if (strcmp(name, o->name) == 0) return o;
  }
  for (const struct operation* o = scaling_operations; o->name != NULL; ++o) {
    if (strcmp(name, o->name) == 0) return o;
  }
  if (rank == 0) fprintf(stderr, "mpi_peer: no operation '%s'\n", name);
  MPI_Abort(MPI_COMM_WORLD, 2);
  exit(2);
}

MPI_Win open_window(size_t words, uint64_t** mine) {
  MPI_Info hints;
  MPI_Win opened;
  /* These hints let a library use the processor's atomics. */
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "accumulate_ordering", "none");
  MPI_Info_set(hints, "same_disp_unit", "true");
  MPI_Info_set(hints, "acc_single_intrinsic", "true");
  MPI_Win_allocate((MPI_Aint)(sizeof(uint64_t) * words), sizeof(uint64_t), hints, MPI_COMM_WORLD,
                   mine, &opened);
  MPI_Info_free(&hints);
  memset(*mine, 0, sizeof(uint64_t) * words);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, opened);
  return opened;
}

void close_window(MPI_Win* opened) {
  MPI_Win_unlock_all(*opened);
  MPI_Win_free(opened);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  window = open_window((size_t)1 << place_bits, &memory);

  for (int i = 1; i < argc; ++i) {
    const struct operation* what = find(argv[i]);
    if (size >= what->min_ranks) measure(what);
  }

  close_scaling();
  close_locks();
  close_containers();
  close_window(&window);
  MPI_Finalize();
  return 0;
}
