/* One-sided operations as programs of OpenSHMEM have them. The same source is linked with libfar's
 * interface and with others.
 *
 * usage: shmem_peer OPERATION... (see `operations` below)
 * Output: "operation nanoseconds" lines, medians over rounds. Times of what one PE does alone are of
 * its processor; of what several do, of the clock.
 *
 * PE 0 accesses words of PE 1, at random places in 8 MB. */

#include <shmem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { words = 1 << 20, rounds = 11, large = 4 << 20 };

static long* place;   /* `words` */
static char* bytes;   /* `large` */
static uint64_t* flag;
static long* lock;
static long* mapped;  /* PE 1's `place`; null: instructions do not reach it */
static char* buffer;  /* of this PE */
static long sum;
static uint64_t turn;

static uint64_t passed; /* places of earlier loops */

/* Random. From its number, so that the next does not wait for this one. */
static inline size_t place_of(long i) {
  uint64_t mixed = (passed + (uint64_t)i) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
  return mixed >> 33 & (words - 1);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void put(long n) {
  for (long i = 0; i < n; ++i) shmem_long_p(place + place_of(i), i, 1);
}
static void get(long n) {
  for (long i = 0; i < n; ++i) sum += shmem_long_g(place + place_of(i), 1);
}
/* The limits of put_nbi and get_nbi. */
static void put_one(long n) {
  for (long i = 0; i < n; ++i) shmem_long_put(place + place_of(i), &sum, 1, 1);
}
static void get_one(long n) {
  long* const got = (long*)buffer;
  for (long i = 0; i < n; ++i) shmem_long_get(got + (i & 1023), place + place_of(i), 1, 1);
}
static void put_nbi(long n) {
  for (long i = 0; i < n; ++i) shmem_long_put_nbi(place + place_of(i), &sum, 1, 1);
  shmem_quiet();
}
static void get_nbi(long n) {
  long* const got = (long*)buffer;
  for (long i = 0; i < n; ++i) shmem_long_get_nbi(got + (i & 1023), place + place_of(i), 1, 1);
  shmem_quiet();
}
static void put_quiet(long n) {
  for (long i = 0; i < n; ++i) {
    shmem_long_p(place + place_of(i), i, 1);
    shmem_quiet();
  }
}
static void add(long n) {
  for (long i = 0; i < n; ++i) shmem_long_atomic_add(place + place_of(i), 1, 1);
}
static void fetch_add(long n) {
  for (long i = 0; i < n; ++i) sum += shmem_long_atomic_fetch_add(place + place_of(i), 1, 1);
}
static void compare_swap(long n) {
  for (long i = 0; i < n; ++i)
    sum += shmem_long_atomic_compare_swap(place + place_of(i), 0, 1, 1);
}
/* The limits of put, get and atomics: instructions. */
static void store(long n) {
  for (long i = 0; i < n; ++i) __atomic_store_n(mapped + place_of(i), i, __ATOMIC_RELEASE);
}
static void load(long n) {
  for (long i = 0; i < n; ++i) sum += __atomic_load_n(mapped + place_of(i), __ATOMIC_ACQUIRE);
}
static void locked_add(long n) {
  for (long i = 0; i < n; ++i) __atomic_fetch_add(mapped + place_of(i), 1, __ATOMIC_ACQ_REL);
}
static void put_64k(long n) {
  for (long i = 0; i < n; ++i) shmem_putmem(bytes, buffer, 1 << 16, 1);
}
static void get_64k(long n) {
  for (long i = 0; i < n; ++i) shmem_getmem(buffer, bytes, 1 << 16, 1);
}
static void put_4m(long n) {
  for (long i = 0; i < n; ++i) shmem_putmem(bytes, buffer, large, 1);
}
static void copy_4m(long n) { /* the limit of it: memcpy to memory of this PE */
  for (long i = 0; i < n; ++i) {
    memcpy(bytes, buffer, large);
    __asm__ volatile("" ::: "memory");
  }
}

/* Of all PEs. */
static void barrier(long n) {
  for (long i = 0; i < n; ++i) shmem_barrier_all();
}
static void ping_pong(long n) { /* by a plain put */
  for (long i = 0; i < n; ++i) {
    ++turn;
    if (shmem_my_pe() == 0) shmem_uint64_p(flag, turn, 1);
    if (shmem_my_pe() <= 1) shmem_uint64_wait_until(flag, SHMEM_CMP_GE, turn);
    if (shmem_my_pe() == 1) shmem_uint64_p(flag, turn, 0);
  }
}
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION > 4
static void signal_ping_pong(long n) {
  for (long i = 0; i < n; ++i) {
    ++turn;
    if (shmem_my_pe() == 0)
      shmem_putmem_signal(bytes, buffer, 8, flag, turn, SHMEM_SIGNAL_SET, 1);
    if (shmem_my_pe() <= 1) shmem_signal_wait_until(flag, SHMEM_CMP_GE, turn);
    if (shmem_my_pe() == 1)
      shmem_putmem_signal(bytes, buffer, 8, flag, turn, SHMEM_SIGNAL_SET, 0);
  }
}
#else
#define signal_ping_pong ping_pong
#endif
static void contended_lock(long n) {
  for (long i = 0; i < n; ++i) {
    shmem_set_lock(lock);
    shmem_clear_lock(lock);
  }
}
/* Of active sets, which all implementations have. Several work arrays, so that none is in use. */
enum { syncs = 4, sync_size = 4096 / 8 };
static long* sync_arrays; /* [syncs][sync_size] */
static long* work;
#define SET 0, 0, shmem_n_pes()
#define SYNC (sync_arrays + i % syncs * sync_size)
#define COLLECTIVES(N, COUNT)                                                                    \
  static void broadcast_##N(long n) {                                                            \
    for (long i = 0; i < n; ++i) shmem_broadcast64(bytes, place, COUNT, 0, SET, SYNC);           \
  }                                                                                              \
  static void reduce_##N(long n) {                                                               \
    for (long i = 0; i < n; ++i)                                                                 \
      shmem_long_sum_to_all((long*)bytes, place, COUNT, SET, work, SYNC);                        \
  }                                                                                              \
  static void fcollect_##N(long n) {                                                             \
    for (long i = 0; i < n; ++i) shmem_fcollect64(bytes, place, COUNT, SET, SYNC);               \
  }                                                                                              \
  static void alltoall_##N(long n) {                                                             \
    for (long i = 0; i < n; ++i) shmem_alltoall64(bytes, place, COUNT, SET, SYNC);               \
  }
COLLECTIVES(8, 1)
COLLECTIVES(64k, 8192)

static const struct operation {
  const char* name;
  void (*run)(long n);
  int takes_all; /* PEs; else PE 0 alone */
} operations[] = {
    {"put", put, 0},
    {"get", get, 0},
    {"put_one", put_one, 0},
    {"get_one", get_one, 0},
    {"put_nbi", put_nbi, 0},
    {"get_nbi", get_nbi, 0},
    {"put_quiet", put_quiet, 0},
    {"add", add, 0},
    {"fetch_add", fetch_add, 0},
    {"compare_swap", compare_swap, 0},
    {"store", store, 0},
    {"load", load, 0},
    {"locked_add", locked_add, 0},
    {"put_64k", put_64k, 0},
    {"get_64k", get_64k, 0},
    {"put_4m", put_4m, 0},
    {"copy_4m", copy_4m, 0},
    {"barrier", barrier, 1},
    {"ping_pong", ping_pong, 1},
    {"signal_ping_pong", signal_ping_pong, 1},
    {"contended_lock", contended_lock, 1},
    {"broadcast_8", broadcast_8, 1},
    {"reduce_8", reduce_8, 1},
    {"fcollect_8", fcollect_8, 1},
    {"alltoall_8", alltoall_8, 1},
    {"broadcast_64k", broadcast_64k, 1},
    {"reduce_64k", reduce_64k, 1},
    {"fcollect_64k", fcollect_64k, 1},
    {"alltoall_64k", alltoall_64k, 1},
};

static double timed(const struct operation* what, long n) {
  double took = 0;
  passed += (uint64_t)n;
  shmem_barrier_all();
  if (what->takes_all) {
    took = seconds_of(CLOCK_MONOTONIC);
    what->run(n);
    took = seconds_of(CLOCK_MONOTONIC) - took;
  } else if (shmem_my_pe() == 0) {
    took = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    what->run(n);
    took = seconds_of(CLOCK_THREAD_CPUTIME_ID) - took;
  }
  shmem_barrier_all();
  return took;
}

static int by_value(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void measure(const struct operation* what) {
  /* PE 0 chooses how many take a millisecond. */
  long* const count = place;
  long n = 1;
  for (;;) {
    const double took = timed(what, n);
    if (shmem_my_pe() == 0) *count = took < 1e-3 && n < 1 << 20 ? 2 * n : n;
    shmem_barrier_all();
    const long wanted = shmem_long_g(count, 0);
    shmem_barrier_all();
    if (wanted == n) break;
    n = wanted;
  }
  double times[rounds];
  for (int round = 0; round < rounds; ++round) times[round] = timed(what, n) * 1e9 / (double)n;
  qsort(times, rounds, sizeof times[0], by_value);
  if (shmem_my_pe() == 0) printf("%s %g\n", what->name, times[rounds / 2]);
  fflush(stdout);
}

int main(int argc, char** argv) {
  shmem_init();
  const size_t all = (size_t)shmem_n_pes();
  place = shmem_calloc(words, sizeof(long));
  bytes = shmem_calloc(all > 2 ? all * 65536 + large : large, 1);
  mapped = shmem_ptr(place, all > 1 ? 1 : 0);
  flag = shmem_calloc(1, sizeof *flag);
  lock = shmem_calloc(1, sizeof *lock);
  buffer = malloc(large);
  sync_arrays = shmem_malloc(syncs * sync_size * sizeof(long));
  work = shmem_malloc(8192 * sizeof(long));
  for (int i = 0; i < syncs * sync_size; ++i) sync_arrays[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  if (place == NULL || bytes == NULL || flag == NULL || lock == NULL || buffer == NULL || work == NULL) {
    fprintf(stderr, "shmem_peer: there is no memory\n");
    shmem_global_exit(1);
  }
  memset(buffer, 1, large);
  for (size_t i = 0; i < words; i += 256) { /* map the pages */
    sum += shmem_long_g(place + i, all > 1 ? 1 : 0);
    shmem_long_p(place + i, 0, all > 1 ? 1 : 0);
  }
  shmem_putmem(bytes, buffer, large, all > 1 ? 1 : 0);
  memcpy(bytes, buffer, large);
  for (int i = 1; i < argc; ++i) {
    size_t which = 0;
    while (which < sizeof operations / sizeof operations[0] &&
           strcmp(operations[which].name, argv[i]) != 0)
      ++which;
    if (which == sizeof operations / sizeof operations[0]) {
      fprintf(stderr, "shmem_peer: there is no operation %s\n", argv[i]);
      shmem_global_exit(2);
    }
    measure(&operations[which]);
  }
  shmem_finalize();
  return sum == 77 ? 3 : 0;
}
