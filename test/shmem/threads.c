/* SHMEM_THREAD_MULTIPLE: threads behind the default context, on contexts of their own, in teams of
 * their own, waiting while others work, and more of them than the fabric has contexts. */

#include "check.h"

#include <pthread.h>

enum { threads = 4, rounds = 100, crowd = 60 };

static long* counts; /* [threads + 1] */
static long* flags;  /* [crowd] */
static long* lock;
static long* sums;   /* [2 * crowd] */
static shmem_team_t teams[crowd];

static void* work(void* argument) {
  const long t = (long)argument;
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &context) == 0);
  for (int i = 0; i < rounds; ++i) {
    shmem_long_atomic_inc(counts + t, next_pe());
    shmem_ctx_long_atomic_add(context, counts + threads, 1, 0);
    shmem_set_lock(lock);
    shmem_long_p(lock + 1, shmem_long_g(lock + 1, 0) + 1, 0);
    shmem_clear_lock(lock);
    if (i % 10 == 0) shmem_team_sync(teams[t]);
    shmem_quiet();
  }
  shmem_ctx_destroy(context);
  /* Thread t lets t + 1 go on, on the next PE. */
  if (t > 0) shmem_long_wait_until(flags + t, SHMEM_CMP_EQ, 1);
  if (t + 1 < threads) shmem_long_p(flags + t + 1, 1, next_pe());
  shmem_quiet();
  return NULL;
}

/* Threads that all wait at once, each for the one after it; the first is let go by main. */
static void* wait_in_crowd(void* argument) {
  const long t = (long)argument;
  shmem_long_wait_until(flags + t, SHMEM_CMP_EQ, 2);
  if (t > 0) shmem_long_p(flags + t - 1, 2, next_pe());
  shmem_quiet();
  return NULL;
}

/* Threads in collectives of a team each, and at a lock, all at once: none keeps others from going on
 * here that threads of other PEs wait for. */
static void* meet_in_crowd(void* argument) {
  const long t = (long)argument;
  for (int i = 0; i < 3; ++i) {
    sums[t] = shmem_my_pe() + t + i;
    CHECK(shmem_long_sum_reduce(teams[t], sums + crowd + t, sums + t, 1) == 0);
    const long pes = shmem_n_pes();
    CHECK(sums[crowd + t] == pes * (pes - 1) / 2 + pes * (t + i));
    CHECK(shmem_long_broadcast(teams[t], sums + crowd + t, sums + t, 1, i % (int)pes) == 0);
    CHECK(sums[crowd + t] == i % pes + t + i);
    shmem_set_lock(lock);
    shmem_long_p(lock + 1, shmem_long_g(lock + 1, 0) + 1, 0);
    shmem_clear_lock(lock);
    CHECK(shmem_team_sync(teams[t]) == 0);
  }
  return NULL;
}

static void run(void* (*body)(void*), long n) {
  pthread_t ids[crowd];
  for (long i = 0; i < n; ++i) { /* in another order on each PE */
    const long t = (i + 17 * shmem_my_pe()) % n;
    CHECK(pthread_create(&ids[t], NULL, body, (void*)t) == 0);
  }
  if (body == wait_in_crowd) {
    shmem_long_p(flags + n - 1, 2, next_pe());
    shmem_quiet();
  }
  for (long t = 0; t < n; ++t) CHECK(pthread_join(ids[t], NULL) == 0);
}

int main(void) {
  int provided = 0;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  CHECK(provided == SHMEM_THREAD_MULTIPLE);
  counts = shmem_calloc(threads + 1, sizeof(long));
  flags = shmem_calloc(crowd, sizeof(long));
  lock = shmem_calloc(2, sizeof(long));
  sums = shmem_calloc(2 * crowd, sizeof(long));
  for (int t = 0; t < crowd; ++t) {
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &teams[t]) == 0);
  }
  run(work, threads);
  shmem_barrier_all();
  for (int t = 0; t < threads; ++t) CHECK(counts[t] == rounds);
  CHECK(shmem_long_g(counts + threads, 0) == (long)rounds * threads * shmem_n_pes());
  CHECK(shmem_long_g(lock + 1, 0) == (long)rounds * threads * shmem_n_pes());
  shmem_barrier_all();
  run(wait_in_crowd, crowd);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) lock[1] = 0;
  shmem_barrier_all();
  run(meet_in_crowd, crowd);
  shmem_barrier_all();
  CHECK(shmem_long_g(lock + 1, 0) == (long)3 * crowd * shmem_n_pes());
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
