/* Sections of a global array, as a user of Global Arrays would move them, to compare libfar with.
 *
 * usage: mpirun -n 2 ga_peer ROUNDS OPERATION...
 * Operations: put_RxC, get_RxC, accumulate_RxC: R rows of C doubles of a matrix with 1024 columns;
 * with the suffix _wide, of one with 1032 columns. put_elements, get_elements, accumulate_elements:
 * 1000 single elements at random places.
 * Output: "operation nanoseconds" lines, medians over the rounds (1 to 41).
 *
 * Rank 0 accesses the part of rank 1. Puts and accumulates are fenced, so that they are complete at
 * rank 1, as libfar's are. The buffer's place modulo 4096 changes from one operation to the next
 * (bench/baselines/patches.hpp). */

#include <armci.h>
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  rows_of_a_rank = 2048,
  columns = 1024,
  wide_columns = 1032,
  listed = 1000,
  max_rounds = 41,
  max_elements = 256 * 1024,
  buffer_bytes = max_elements * 8 + 2 * 4096
};
static const double round_ns = 5e5;
static const size_t offsets[] = {0, 8, 64, 520, 1024, 2048, 3080, 4032};

struct work {
  char verb; /* p, g, a */
  int matrix, first;
  int rows, columns; /* rows == 0: single elements */
};

static int rank, rounds;
static char* buffer; /* aligned to 4096 */
static int matrices[2];
static int subscripts[listed][2];
static int* places[listed];

static void once(const struct work* what, size_t turn) {
  double* const here = (double*)(buffer + offsets[turn % (sizeof(offsets) / sizeof(offsets[0]))]);
  double scale = 1.5;
  if (what->rows == 0) {
    if (what->verb == 'p') NGA_Scatter(what->matrix, here, places, listed);
    if (what->verb == 'g') NGA_Gather(what->matrix, here, places, listed);
    if (what->verb == 'a') NGA_Scatter_acc(what->matrix, here, places, listed, &scale);
  } else {
    int low[] = {what->first, 0};
    int high[] = {what->first + what->rows - 1, what->columns - 1};
    int leading[] = {what->columns};
    if (what->verb == 'p') NGA_Put(what->matrix, low, high, here, leading);
    if (what->verb == 'g') NGA_Get(what->matrix, low, high, here, leading);
    if (what->verb == 'a') NGA_Acc(what->matrix, low, high, here, leading, &scale);
  }
  if (what->verb != 'g') ARMCI_Fence(1);
}

/* Nanoseconds that `count` operations take rank 0. */
static double timed(const struct work* what, long count) {
  double start = 0, end = 0;
  GA_Sync();
  if (rank == 0) {
    for (long i = 0; i < (count + 3) / 4; ++i) once(what, (size_t)i); /* as for libfar */
    start = MPI_Wtime();
    for (long i = 0; i < count; ++i) once(what, (size_t)i);
    end = MPI_Wtime();
  }
  GA_Sync();
  return (end - start) * 1e9;
}

static int by_value(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void measure(const char* name, const struct work* what) {
  double times[max_rounds];
  long count = 1;
  int is_enough = 0;
  while (!is_enough) {
    const double ns = timed(what, count);
    is_enough = ns >= round_ns;
    MPI_Bcast(&is_enough, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the clock of rank 0 decides */
    if (!is_enough) count *= 2;
  }
  for (int i = 0; i < rounds; ++i) times[i] = timed(what, count) / (double)count;
  qsort(times, (size_t)rounds, sizeof(times[0]), by_value);
  if (rank == 0) printf("%s %.3f\n", name, times[rounds / 2]);
}

/* The matrix is distributed by rows, so rank 1 has the last ones. */
static int open_matrix(const char* name, int width) {
  int extents[] = {2 * rows_of_a_rank, width}, chunks[] = {rows_of_a_rank, width};
  int result = NGA_Create(C_DBL, 2, extents, (char*)name, chunks);
  if (result == 0) GA_Error("ga_peer: no memory for the matrix", 1);
  GA_Zero(result);
  return result;
}

static void draw_places(void) {
  uint64_t state = 1;
  for (int i = 0; i < listed; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int word = (int)(state >> 43); /* of 2048 * 1024 */
    subscripts[i][0] = rows_of_a_rank + word / columns;
    subscripts[i][1] = word % columns;
    places[i] = subscripts[i];
  }
}

/* Returns 0 if there is no such operation. */
static int parse(const char* name, struct work* what) {
  char verb[16], rest[16];
  *what = (struct work){name[0], matrices[0], rows_of_a_rank, 0, 0};
  if (sscanf(name, "%15[a-z]_%15s", verb, rest) != 2) return 0;
  if (strcmp(verb, "put") && strcmp(verb, "get") && strcmp(verb, "accumulate")) return 0;
  if (strcmp(rest, "elements") == 0) return 1;
  const int read = sscanf(rest, "%dx%d%15s", &what->rows, &what->columns, verb);
  if (read == 3 && strcmp(verb, "_wide") == 0) what->matrix = matrices[1];
  else if (read != 2) return 0;
  return what->rows > 0 && what->rows <= rows_of_a_rank && what->columns > 0 &&
         what->columns <= columns && what->rows * what->columns <= max_elements;
}

/* All ranks find the same mistakes, so that all end in order. */
static int measure_all(int count, char** names) {
  struct work what;
  for (int i = 0; i < count; ++i) {
    if (parse(names[i], &what)) continue;
    if (rank == 0) fprintf(stderr, "ga_peer: no operation '%s'\n", names[i]);
    return 2;
  }
  for (int i = 0; i < count; ++i) {
    parse(names[i], &what);
    measure(names[i], &what);
  }
  fflush(stdout);
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  MA_init(C_DBL, 1000000, 1000000);
  rank = GA_Nodeid();
  if (GA_Nnodes() != 2) GA_Error("ga_peer: it takes 2 processes", 1);
  rounds = argc > 1 ? atoi(argv[1]) : 0;
  if (rounds < 1 || rounds > max_rounds) GA_Error("ga_peer: a wrong number of rounds", rounds);
  matrices[0] = open_matrix("matrix", columns);
  matrices[1] = open_matrix("wide", wide_columns);
  buffer = aligned_alloc(4096, buffer_bytes);
  memset(buffer, 0, buffer_bytes);
  draw_places();
  const int status = measure_all(argc - 2, argv + 2);
  free(buffer);
  GA_Terminate();
  MPI_Finalize();
  return status;
}
