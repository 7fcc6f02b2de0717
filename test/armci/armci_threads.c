/* ARMCI's calls from several threads of each rank at once. */

#include <pthread.h>

#include "armci_check.h"

enum { THREADS = 4, ROUNDS = 50, WIDTH = 500, COUNTERS = 8 };

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
  ARMCI_Destroy_mutexes();
  ARMCI_Free(counters[me]);
  ARMCI_Free(rows[me]);
  return end();
}
