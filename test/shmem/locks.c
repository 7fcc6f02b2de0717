/* Locks of SHMEM_THREAD_MULTIPLE: threads of one PE that wait for several of them. Each is let go by
 * the lock that it waits for, whoever else waits here. */

#include "check.h"

#include <pthread.h>
#include <time.h>

static long* locks; /* [2] */
static int* clears; /* PE 0 asks the last PE to clear the first lock */

static void* enter(void* lock) {
  shmem_set_lock(lock);
  shmem_clear_lock(lock);
  return NULL;
}

static pthread_t started(long* lock) {
  const struct timespec until_it_waits = {0, 10000000};
  pthread_t id;
  CHECK(pthread_create(&id, NULL, enter, lock) == 0);
  nanosleep(&until_it_waits, NULL);
  return id;
}

/* The last PE holds the first lock. Here a thread waits for that, and another for the second lock,
 * which this thread holds. */
static void test_held_elsewhere(void) {
  const int last = shmem_n_pes() - 1;
  *clears = 0;
  if (shmem_my_pe() == last) shmem_set_lock(locks);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    const pthread_t first = started(locks);
    shmem_set_lock(locks + 1);
    const pthread_t second = started(locks + 1);
    shmem_clear_lock(locks + 1);
    CHECK(pthread_join(second, NULL) == 0);
    shmem_int_p(clears, 1, last);
    if (last == 0) shmem_clear_lock(locks);
    CHECK(pthread_join(first, NULL) == 0);
  } else if (shmem_my_pe() == last) {
    shmem_int_wait_until(clears, SHMEM_CMP_EQ, 1);
    shmem_clear_lock(locks);
  }
  shmem_barrier_all();
}

/* A thread holds both; two others of the PE wait, and are let go in either order. */
static void let_go_in_order(int first_cleared) {
  shmem_set_lock(locks);
  shmem_set_lock(locks + 1);
  const pthread_t waits[2] = {started(locks), started(locks + 1)};
  shmem_clear_lock(locks + first_cleared);
  CHECK(pthread_join(waits[first_cleared], NULL) == 0);
  shmem_clear_lock(locks + 1 - first_cleared);
  CHECK(pthread_join(waits[1 - first_cleared], NULL) == 0);
}

static void test_held_here(void) {
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    if (shmem_my_pe() == pe) {
      let_go_in_order(0);
      let_go_in_order(1);
    }
    shmem_barrier_all();
  }
}

int main(void) {
  int provided = 0;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  locks = shmem_calloc(2, sizeof(long));
  clears = shmem_calloc(1, sizeof(int));
  for (int i = 0; i < 3; ++i) {
    test_held_elsewhere();
    test_held_here();
  }
  shmem_finalize();
  return 0;
}
