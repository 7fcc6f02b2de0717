/* What a user of MPI-3 would write for the same work, for comparison with libfar.
 *
 * usage: mpirun -n N mpi_peer OPERATION...
 * Operations: put get fetch_and_op compare_and_swap (N >= 2; rank 0 works on the memory of rank 1),
 * round_trip (N >= 2; an 8-byte message there and back), barrier.
 * Output: "operation nanoseconds" lines, medians over rounds.
 *
 * The window is allocated by MPI, which gives its libraries their fast paths (shared memory), is
 * locked once for all, and each operation is flushed by itself. The addresses are random words of
 * 8 MB, made as in bench/random_places.hpp. */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_rounds = 41, few_rounds = 5, place_bits = 20 }; /* 2^20 words of 8 bytes */
static const double round_ns = 5e5;

static int rank, size;
static MPI_Win window;
static uint64_t *memory;
static uint64_t state = 1;
static volatile uint64_t sink;

static MPI_Aint next_place(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (MPI_Aint)(state >> (64 - place_bits));
}

/* Each does an operation `count` times. */

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

static const struct operation {
  const char *name;
  int least_ranks;
  void (*run)(long count);
} operations[] = {
    {"put", 2, run_put},
    {"get", 2, run_get},
    {"fetch_and_op", 2, run_fetch_and_op},
    {"compare_and_swap", 2, run_compare_and_swap},
    {"round_trip", 2, run_round_trip},
    {"barrier", 1, run_barrier},
};

/* Nanoseconds that `count` operations take rank 0. */
static double timed(void (*run)(long), long count) {
  double start, end;
  MPI_Barrier(MPI_COMM_WORLD);
  run((count + 3) / 4); /* as libfar warms up */
  start = MPI_Wtime();
  run(count);
  end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e9;
}

static int by_value(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void measure(const struct operation *what) {
  double times[most_rounds];
  long count = 1;
  int rounds; /* 0 while `count` operations are too few */
  for (;;) {
    /* The best of three tries, for another program may have had the core for part of one. */
    double ns = timed(what->run, count);
    for (int i = 0; i < 2; ++i) {
      const double again = timed(what->run, count);
      if (again < ns) ns = again;
    }
    rounds = ns < round_ns ? 0 : ns > 20 * round_ns ? few_rounds : most_rounds;
    MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the clock of rank 0 decides for all */
    if (rounds != 0) break;
    count *= 2;
  }
  for (int i = 0; i < rounds; ++i) times[i] = timed(what->run, count) / (double)count;
  qsort(times, (size_t)rounds, sizeof(times[0]), by_value);
  if (rank == 0) printf("%s %.3f\n", what->name, times[rounds / 2]);
}

static const struct operation *find(const char *name) {
  for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); ++i) {
    if (strcmp(name, operations[i].name) == 0) return &operations[i];
  }
  if (rank == 0) fprintf(stderr, "mpi_peer: no operation '%s'\n", name);
  MPI_Abort(MPI_COMM_WORLD, 2);
  exit(2);
}

int main(int argc, char **argv) {
  MPI_Info hints;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  /* What lets a library use the processor's own atomics. */
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "accumulate_ordering", "none");
  MPI_Info_set(hints, "same_disp_unit", "true");
  MPI_Info_set(hints, "acc_single_intrinsic", "true");
  MPI_Win_allocate((MPI_Aint)(sizeof(uint64_t) << place_bits), sizeof(uint64_t), hints,
                   MPI_COMM_WORLD, &memory, &window);
  memset(memory, 0, sizeof(uint64_t) << place_bits);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);

  for (int i = 1; i < argc; ++i) {
    const struct operation *what = find(argv[i]);
    if (size >= what->least_ranks) measure(what);
  }

  MPI_Win_unlock_all(window);
  MPI_Info_free(&hints);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
