/* ARMCI's calls from several threads of each rank at once. */

#define _DEFAULT_SOURCE /* usleep */
#include <armcix.h>
#include <pthread.h>
#include <unistd.h>

#include "armci_check.h"

enum { THREADS = 4, ROUNDS = 50, WIDTH = 500, COUNTERS = 8, COLLECTIVES = 13 };

/* Of each rank: a row per thread of all ranks, and counters behind them. */
static double* rows[64];
static int* counters[64];

static void* work(void* argument) {
  const int thread = *(int*)argument;
  int *wrong = argument, i, round, own = me * THREADS + thread;
  double from[WIDTH], to[WIDTH], one = 1;
  *wrong = 0;
  for (round = 0; round < ROUNDS; ++round) {
    const int target = (me + round) % procs;
    double* place = rows[target] + own * WIDTH;
    armci_hdl_t handle;
    int old, value;
    for (i = 0; i < WIDTH; ++i) from[i] = own * 1000 + round + i;
    ARMCI_Put(from, place, sizeof from, target);
    ARMCI_Acc(ARMCI_ACC_DBL, &one, from, place, sizeof from, target);
    ARMCI_INIT_HANDLE(&handle);
    ARMCI_NbGet(place, to, sizeof to, target, &handle);
    ARMCI_Wait(&handle);
    for (i = 0; i < WIDTH; ++i) *wrong += to[i] != 2 * from[i];
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, counters[target], 1, target);
    ARMCI_Lock(0, target); /* a rank's threads exclude each other, too */
    value = ARMCI_GetValueInt(counters[target] + 1, target) + 1;
    ARMCI_PutValueInt(value, counters[target] + 1, target);
    ARMCI_Unlock(0, target);
  }
  return NULL;
}

/* Adds 1 on the last rank, which waits for that: most likely once this rank's other thread waits in
 * a collective call. */
static void* add_later(void* unused) {
  int old;
  usleep(10000);
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, counters[procs - 1] + 2, 1, procs - 1);
  return unused;
}

/* All but the last rank are in the collective call already. */
static void collective(int which) {
  static ARMCI_Group world, group;
  static void* memory[64];
  static armcix_mutex_hdl_t set;
  int all[64], i;
  double value = me;
  pthread_t thread;
  ARMCI_Barrier();
  if (me == 0) pthread_create(&thread, NULL, add_later, NULL);
  while (me == procs - 1 && ARMCI_GetValueInt(counters[me] + 2, me) <= which) usleep(1000);
  for (i = 0; i < procs; ++i) all[i] = i;
  ARMCI_Group_get_world(&world);
  switch (which) {
    case 0: CHECK(ARMCI_Malloc(memory, 64) == 0); break;
    case 1: CHECK(ARMCI_Free(memory[me]) == 0); break;
    case 2: ARMCI_Group_create(procs, all, &group); break;
    case 3: ARMCI_Group_free(&group); break;
    case 4: CHECK(ARMCIX_Group_split(&world, 0, me, &group) == 0); break;
    case 5: ARMCI_Group_free(&group); break;
    case 6: CHECK(ARMCIX_Group_dup(&world, &group) == 0); break;
    case 7: set = ARMCIX_Create_mutexes_hdl(1, &group); break;
    case 8: CHECK(ARMCIX_Destroy_mutexes_hdl(set) == 0); break;
    case 9: ARMCI_Group_free(&group); break;
    case 10: armci_msg_sel_scope(SCOPE_ALL, &value, sizeof value, "max", ARMCI_DOUBLE, 1); break;
    case 11: armci_msg_reduce(&value, 1, "+", ARMCI_DOUBLE); break;
    default: armci_msg_dgop(&value, 1, "+");
  }
  CHECK(which != 10 || value == procs - 1);
  CHECK(which < 11 || (which == 11 && me > 0) || value == procs * (procs - 1) / 2);
  if (me == 0) pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  int numbers[THREADS], level = 0, i, sums[2] = {0, 0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK(level == MPI_THREAD_MULTIPLE);
  CHECK(ARMCI_Init() == 0);
  me = armci_msg_me(), procs = armci_msg_nproc();
  ARMCI_Malloc((void**)rows, (armci_size_t)sizeof(double) * THREADS * procs * WIDTH);
  ARMCI_Malloc((void**)counters, sizeof(int) * COUNTERS);
  memset(counters[me], 0, sizeof(int) * COUNTERS);
  ARMCI_Create_mutexes(1);
  ARMCI_Barrier();
  for (i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  ARMCI_Barrier(); /* beside the threads, which go on meanwhile */
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(numbers[i] == 0);
  }
  ARMCI_Barrier();
  sums[0] = counters[me][0], sums[1] = counters[me][1];
  armci_msg_igop(sums, 2, "+");
  CHECK(sums[0] == procs * THREADS * ROUNDS && sums[1] == sums[0]);
  for (i = 0; i < COLLECTIVES; ++i) collective(i);
  ARMCI_Destroy_mutexes();
  ARMCI_Free(counters[me]);
  ARMCI_Free(rows[me]);
  return end();
}
