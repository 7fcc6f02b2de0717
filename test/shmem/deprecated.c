/* What older programs use: start_pes without an end, active sets, the names of 1.0 to 1.3. */

#include "check.h"

#include <complex.h>

enum { n = 3 };

static void* from;
static void* to;
static void* work;
static long sync_array[_SHMEM_COLLECT_SYNC_SIZE]; /* in the executable's static data */
static int start, log_stride, size, place; /* the active set, and where this PE is in it */

#define SET start, log_stride, size

#define CHECK_TO_ALL(T, N, OP, STEP)                                      \
  do {                                                                    \
    T* const source = from;                                               \
    T* const dest = to;                                                   \
    for (int i = 0; i < n; ++i) source[i] = (T)(1 + (place + i) % 2);     \
    shmem_##N##_##OP##_to_all(dest, source, n, SET, work, sync_array);    \
    for (int i = 0; i < n; ++i) {                                         \
      T want = (T)(1 + i % 2);                                            \
      for (int pe = 1; pe < size; ++pe) {                                 \
        const T next = (T)(1 + (pe + i) % 2);                             \
        STEP;                                                             \
      }                                                                   \
      CHECK(dest[i] == want);                                             \
    }                                                                     \
    shmem_sync(SET, sync_array);                                          \
  } while (0)

#define TEST_BITWISE(A, T, N)                               \
  static void bitwise_##N(void) {                           \
    CHECK_TO_ALL(T, N, and, want = (T)(want & next));       \
    CHECK_TO_ALL(T, N, or, want = (T)(want | next));        \
    CHECK_TO_ALL(T, N, xor, want = (T)(want ^ next));       \
  }
FAR_SHMEM_OLD_BITWISE(TEST_BITWISE, )
#define TEST_ORDERED(A, T, N)                                        \
  static void ordered_##N(void) {                                    \
    CHECK_TO_ALL(T, N, max, want = want < next ? next : want);       \
    CHECK_TO_ALL(T, N, min, want = next < want ? next : want);       \
  }
FAR_SHMEM_OLD_ORDERED(TEST_ORDERED, )
#define TEST_SUMMED(A, T, N)                                \
  static void summed_##N(void) {                            \
    CHECK_TO_ALL(T, N, sum, want = (T)(want + next));       \
    CHECK_TO_ALL(T, N, prod, want = (T)(want * next));      \
  }
FAR_SHMEM_OLD_SUMMED(TEST_SUMMED, )

#define TEST_MOVING(T, BITS)                                                                   \
  static void moving_##BITS(void) {                                                            \
    T* const source = from;                                                                    \
    T* const dest = to;                                                                        \
    for (int i = 0; i < size * n * 2; ++i) source[i] = (T)(100 * place + i);                   \
    for (int i = 0; i < size * n * 2; ++i) dest[i] = 0;                                        \
    shmem_barrier(SET, sync_array);                                                            \
    shmem_broadcast##BITS(dest, source, n, size - 1, SET, sync_array);                         \
    for (int i = 0; i < n; ++i) /* but not at the root */                                      \
      CHECK(dest[i] == (T)(place == size - 1 ? 0 : 100 * (size - 1) + i));                     \
    shmem_barrier(SET, sync_array);                                                            \
    shmem_fcollect##BITS(dest, source, n, SET, sync_array);                                    \
    for (int i = 0; i < size * n; ++i) CHECK(dest[i] == (T)(100 * (i / n) + i % n));           \
    shmem_barrier(SET, sync_array);                                                            \
    shmem_collect##BITS(dest, source, (size_t)(place % 2), SET, sync_array);                   \
    for (int pe = 1, at = 0; pe < size; pe += 2) CHECK(dest[at++] == (T)(100 * pe));           \
    shmem_barrier(SET, sync_array);                                                            \
    shmem_alltoall##BITS(dest, source, n, SET, sync_array);                                    \
    for (int i = 0; i < size * n; ++i)                                                         \
      CHECK(dest[i] == (T)(100 * (i / n) + place * n + i % n));                                \
    shmem_barrier(SET, sync_array);                                                            \
    shmem_alltoalls##BITS(dest, source, 2, 1, n, SET, sync_array);                             \
    for (int i = 0; i < size * n; ++i)                                                         \
      CHECK(dest[2 * i] == (T)(100 * (i / n) + place * n + i % n));                            \
    shmem_barrier(SET, sync_array);                                                            \
  }
TEST_MOVING(int32_t, 32)
TEST_MOVING(int64_t, 64)

static void on_set(int first, int log2_stride, int count) {
  start = first;
  log_stride = log2_stride;
  size = count;
  const int distance = _my_pe() - first;
  place = distance >> log2_stride;
  if (distance < 0 || place << log2_stride != distance || place >= count) return;
#define RUN_BITWISE(A, T, N) bitwise_##N();
  FAR_SHMEM_OLD_BITWISE(RUN_BITWISE, )
#define RUN_ORDERED(A, T, N) ordered_##N();
  FAR_SHMEM_OLD_ORDERED(RUN_ORDERED, )
#define RUN_SUMMED(A, T, N) summed_##N();
  FAR_SHMEM_OLD_SUMMED(RUN_SUMMED, )
  moving_32();
  moving_64();
}

#define TEST_AMO(A, T, N)                                  \
  static void amo_##N(void) {                              \
    T* const word = to;                                    \
    const int pe = _my_pe();                               \
    shmem_##N##_p(word, 5, pe);                            \
    CHECK(shmem_##N##_cswap(word, 5, 6, pe) == 5);         \
    CHECK(shmem_##N##_finc(word, pe) == 6);                \
    CHECK(shmem_##N##_fadd(word, 3, pe) == 7);             \
    shmem_##N##_inc(word, pe);                             \
    shmem_##N##_add(word, 2, pe);                          \
    shmem_quiet();                                         \
    CHECK(*word == 13);                                    \
  }
FAR_SHMEM_AMO(TEST_AMO, )
#define TEST_EXTENDED_AMO(A, T, N)                       \
  static void extended_amo_##N(void) {                   \
    T* const word = to;                                  \
    shmem_##N##_set(word, 5, _my_pe());                  \
    CHECK(shmem_##N##_swap(word, 6, _my_pe()) == 5);     \
    CHECK(shmem_##N##_fetch(word, _my_pe()) == 6);       \
  }
FAR_SHMEM_EXTENDED_AMO(TEST_EXTENDED_AMO, )

#define TEST_WAIT(A, T, N)                \
  static void wait_##N(void) {            \
    T* const word = to;                   \
    *word = 1;                            \
    shmem_barrier_all();                  \
    shmem_##N##_p(word, 2, next_pe());    \
    shmem_##N##_wait(word, 1);            \
    CHECK(*word == 2);                    \
    shmem_barrier_all();                  \
  }
FAR_SHMEM_OLD_SYNC(TEST_WAIT, )

int main(void) {
  start_pes(0);
  start_pes(0);
  const int all = _num_pes();
  from = shmalloc(16 * n * 2 * sizeof(double _Complex));
  to = shmemalign(64, 16 * n * 2 * sizeof(double _Complex));
  work = shmalloc(n * sizeof(double _Complex));
  work = shrealloc(work, 2 * n * sizeof(double _Complex));
  for (int i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; ++i) sync_array[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  on_set(0, 0, all);
  on_set(0, 1, (all + 1) / 2);
  on_set(1, 0, all - 1);
  on_set(1, 1, all / 2);
  for (int pe = 0; pe < all; ++pe) on_set(pe, 0, 1);
#define RUN_AMO(A, T, N) amo_##N();
  FAR_SHMEM_AMO(RUN_AMO, )
#define RUN_EXTENDED_AMO(A, T, N) extended_amo_##N();
  FAR_SHMEM_EXTENDED_AMO(RUN_EXTENDED_AMO, )
#define RUN_WAIT(A, T, N) wait_##N();
  FAR_SHMEM_OLD_SYNC(RUN_WAIT, )
  long* const word = to;
  *word = 0;
  shmem_barrier_all();
  shmem_long_p(word, 3, next_pe());
  shmem_wait(word, 0);
  shmem_wait_until(word, _SHMEM_CMP_EQ, 3);
  shmem_set_cache_inv();
  shmem_set_cache_line_inv(to);
  shmem_clear_cache_inv();
  shmem_clear_cache_line_inv(to);
  shmem_udcflush();
  shmem_udcflush_line(to);
  shfree(work);
  return 0; /* the job ends when all have ended */
}
