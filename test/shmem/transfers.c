/* Put and get of every type and size, at every stride, in each form: blocking, not, with a signal,
 * on the default context and on another. Each PE writes to the next and reads from it. */

#include "check.h"

enum { room = 64, blocks = 5, block = 2 };

static void* place;       /* room for `room` elements of any type */
static uint64_t* signals; /* one */
static shmem_ctx_t context;

/* Element i that PE `pe` sends. */
#define VALUE(T, pe, i) ((T)((pe)*7 + (i) + 1))

/* The previous PE has sent elements 0 .. n - 1 to where STEP says; all others are still 0. */
#define CHECK_RECEIVED(T, n, at)                                         \
  do {                                                                   \
    const T* here = place;                                               \
    int seen = 0;                                                        \
    for (int k = 0; k < room; ++k) {                                     \
      int is_sent = 0;                                                   \
      for (int i = 0; i < (n); ++i) {                                    \
        if ((at) != k) continue;                                         \
        is_sent = 1;                                                     \
        ++seen;                                                          \
        CHECK(here[k] == VALUE(T, previous_pe(), i));                    \
      }                                                                  \
      if (!is_sent) CHECK(here[k] == 0);                                 \
    }                                                                    \
    CHECK(seen == (n));                                                  \
    shmem_barrier_all();                                                 \
    memset(place, 0, room * sizeof(T));                                  \
    *signals = 0;                                                        \
    shmem_barrier_all();                                                 \
  } while (0)

#define CHECK_PUTS(T, PUT, CTX)                                                              \
  shmem_##PUT(CTX here, mine, 10, next_pe());                                                \
  shmem_barrier_all();                                                                       \
  CHECK_RECEIVED(T, 10, i);                                                                  \
  shmem_##PUT##_nbi(CTX here + 3, mine, 10, next_pe());                                      \
  shmem_ctx_quiet(SHMEM_CTX_DEFAULT);                                                        \
  shmem_ctx_quiet(context);                                                                  \
  shmem_sync_all();                                                                          \
  CHECK_RECEIVED(T, 10, i + 3);                                                              \
  shmem_##PUT##_signal(CTX here, mine, 10, signals, 3, SHMEM_SIGNAL_SET, next_pe());         \
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_NE, 0) == 3);                             \
  CHECK_RECEIVED(T, 10, i);                                                                  \
  shmem_##PUT##_signal_nbi(CTX here, mine, 10, signals, 4, SHMEM_SIGNAL_ADD, next_pe());     \
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_GE, 4) == 4);                             \
  shmem_ctx_quiet(SHMEM_CTX_DEFAULT);                                                        \
  shmem_ctx_quiet(context);                                                                  \
  CHECK_RECEIVED(T, 10, i)

#define CHECK_GETS(T, GET, CTX)                                                   \
  for (int i = 0; i < room; ++i) here[i] = VALUE(T, shmem_my_pe(), i);            \
  shmem_barrier_all();                                                            \
  memset(got, 0, sizeof got);                                                     \
  shmem_##GET(CTX got, here + 2, 10, next_pe());                                  \
  for (int i = 0; i < 10; ++i) CHECK(got[i] == VALUE(T, next_pe(), i + 2));       \
  CHECK(got[10] == 0);                                                            \
  memset(got, 0, sizeof got);                                                     \
  shmem_##GET##_nbi(CTX got, here + 1, 10, next_pe());                            \
  shmem_ctx_quiet(SHMEM_CTX_DEFAULT);                                             \
  shmem_ctx_quiet(context);                                                       \
  for (int i = 0; i < 10; ++i) CHECK(got[i] == VALUE(T, next_pe(), i + 1));       \
  CHECK(got[10] == 0)

#define CHECK_STRIDED(T, IPUT, IGET, IBPUT, IBGET, CTX)                                       \
  for (int i = 0; i < room; ++i) here[i] = VALUE(T, shmem_my_pe(), i);                        \
  shmem_barrier_all();                                                                        \
  memset(got, 0, sizeof got);                                                                 \
  shmem_##IGET(CTX got, here, 3, 2, 10, next_pe());                                           \
  for (int i = 0; i < 10; ++i) CHECK(got[3 * i] == VALUE(T, next_pe(), 2 * i));               \
  CHECK(got[1] == 0 && got[2] == 0 && got[28] == 0);                                          \
  memset(got, 0, sizeof got);                                                                 \
  shmem_##IBGET(CTX got, here, 3, 4, block, blocks, next_pe());                               \
  for (int i = 0; i < blocks * block; ++i)                                                    \
    CHECK(got[i / block * 3 + i % block] == VALUE(T, next_pe(), i / block * 4 + i % block));  \
  CHECK(got[2] == 0 && got[5] == 0);                                                          \
  shmem_barrier_all();                                                                        \
  memset(here, 0, room * sizeof(T));                                                          \
  shmem_barrier_all();                                                                        \
  shmem_##IPUT(CTX here, spread, 2, 3, 10, next_pe());                                        \
  shmem_ctx_quiet(context);                                                                   \
  shmem_barrier_all();                                                                        \
  CHECK_RECEIVED(T, 10, 2 * i);                                                               \
  shmem_##IBPUT(CTX here, mine, 5, block, block, blocks, next_pe());                          \
  shmem_ctx_quiet(context);                                                                   \
  shmem_barrier_all();                                                                        \
  CHECK_RECEIVED(T, blocks* block, i / block * 5 + i % block)

#define NO_CTX
#define WITH_CTX context,

/* Of elements of type T, by functions for it, or for its size. */
#define LISTS(T)                                                           \
  T* const here = place;                                                   \
  T mine[room];                                                            \
  T spread[room];                                                          \
  T got[room];                                                             \
  memset(place, 0, room * sizeof(T));                                      \
  memset(mine, 0, sizeof mine);                                            \
  memset(spread, 0, sizeof spread);                                        \
  memset(got, 0, sizeof got);                                              \
  for (int i = 0; i < room; ++i) mine[i] = VALUE(T, shmem_my_pe(), i);     \
  for (int i = 0; i < 20; ++i) spread[3 * i] = VALUE(T, shmem_my_pe(), i); \
  shmem_barrier_all()

#define TEST_TYPE(A, T, N)                                                                   \
  static void test_##N(void) {                                                               \
    LISTS(T);                                                                                \
    CHECK_PUTS(T, N##_put, NO_CTX);                                                          \
    CHECK_PUTS(T, ctx_##N##_put, WITH_CTX);                                                  \
    CHECK_GETS(T, N##_get, NO_CTX);                                                          \
    CHECK_GETS(T, ctx_##N##_get, WITH_CTX);                                                  \
    CHECK_STRIDED(T, N##_iput, N##_iget, N##_ibput, N##_ibget, NO_CTX);                      \
    CHECK_STRIDED(T, ctx_##N##_iput, ctx_##N##_iget, ctx_##N##_ibput, ctx_##N##_ibget,       \
                  WITH_CTX);                                                                 \
    shmem_##N##_p(here, mine[0], next_pe());                                                 \
    shmem_ctx_##N##_p(context, here + 1, mine[1], next_pe());                                \
    shmem_ctx_quiet(context);                                                                \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_##N##_g(here, next_pe()) == mine[0]);                                        \
    CHECK(shmem_ctx_##N##_g(context, here + 1, next_pe()) == mine[1]);                       \
    CHECK_RECEIVED(T, 2, i);                                                                 \
  }
FAR_SHMEM_RMA(TEST_TYPE, )

#define TEST_SIZE(T, BITS)                                                                      \
  static void test_size_##BITS(void) {                                                          \
    LISTS(T);                                                                                   \
    CHECK_PUTS(T, put##BITS, NO_CTX);                                                           \
    CHECK_PUTS(T, ctx_put##BITS, WITH_CTX);                                                     \
    CHECK_GETS(T, get##BITS, NO_CTX);                                                           \
    CHECK_GETS(T, ctx_get##BITS, WITH_CTX);                                                     \
    CHECK_STRIDED(T, iput##BITS, iget##BITS, ibput##BITS, ibget##BITS, NO_CTX);                 \
    CHECK_STRIDED(T, ctx_iput##BITS, ctx_iget##BITS, ctx_ibput##BITS, ctx_ibget##BITS, WITH_CTX); \
  }
TEST_SIZE(int8_t, 8)
TEST_SIZE(int16_t, 16)
TEST_SIZE(int32_t, 32)
TEST_SIZE(int64_t, 64)
TEST_SIZE(long double, 128)

static void test_mem(void) {
  LISTS(int8_t);
  CHECK_PUTS(int8_t, putmem, NO_CTX);
  CHECK_PUTS(int8_t, ctx_putmem, WITH_CTX);
  CHECK_GETS(int8_t, getmem, NO_CTX);
  CHECK_GETS(int8_t, ctx_getmem, WITH_CTX);
}

static void test_signals(void) {
  *signals = 0;
  shmem_barrier_all();
  shmem_signal_set(signals, 5, next_pe());
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_EQ, 5) == 5);
  shmem_sync_all();
  shmem_ctx_signal_add(context, signals, 2, next_pe());
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_GT, 5) == 7);
  shmem_sync_all();
  shmem_signal_add(signals, 2, next_pe());
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_GT, 7) == 9);
  shmem_sync_all();
  shmem_ctx_signal_set(context, signals, 1, next_pe());
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_LE, 1) == 1);
  CHECK(shmem_signal_fetch(signals) == 1);
  shmem_barrier_all();
}

/* Nothing, and much. */
static void test_lengths(void) {
  enum { many = 300000 };
  long* const there = shmem_malloc(many * sizeof(long));
  long* const mine = malloc(many * sizeof(long));
  CHECK(there != NULL && mine != NULL);
  for (long i = 0; i < many; ++i) mine[i] = i ^ shmem_my_pe();
  shmem_long_put(there, mine, 0, next_pe());
  shmem_long_get(mine, there, 0, next_pe());
  *signals = 0;
  shmem_barrier_all();
  shmem_putmem_signal(NULL, NULL, 0, signals, 2, SHMEM_SIGNAL_SET, next_pe());
  CHECK(shmem_signal_wait_until(signals, SHMEM_CMP_EQ, 2) == 2);
  shmem_long_put(there, mine, many, next_pe());
  memset(mine, 0, many * sizeof(long)); /* a put that has returned needs its source no more */
  shmem_barrier_all();
  for (long i = 0; i < many; ++i) CHECK(there[i] == (i ^ previous_pe()));
  shmem_long_get_nbi(mine, there, many, next_pe());
  shmem_quiet();
  for (long i = 0; i < many; ++i) CHECK(mine[i] == (i ^ shmem_my_pe()));
  shmem_long_iput(there, mine, 2, 2, many / 2, next_pe());
  shmem_barrier_all();
  for (long i = 0; i < many; i += 2) CHECK(there[i] == (i ^ previous_pe()));
  shmem_long_iget(mine, there, 3, 3, many / 3, next_pe());
  for (long i = 0; i < many; i += 3) {
    CHECK(mine[i] == (i ^ shmem_my_pe()));
  }
  free(mine);
  shmem_free(there);
}

/* A put before a fence is there before one after it. */
static void test_order(void) {
  long* const data = shmem_calloc(2, sizeof(long));
  long* const flag = shmem_calloc(1, sizeof(long));
  for (long round = 1; round <= 200; ++round) {
    shmem_long_p(data, round, next_pe());
    shmem_long_p(data + 1, -round, next_pe());
    round % 2 == 0 ? shmem_fence() : shmem_ctx_fence(SHMEM_CTX_DEFAULT);
    shmem_long_p(flag, round, next_pe());
    shmem_long_wait_until(flag, SHMEM_CMP_EQ, round);
    CHECK(data[0] == round && data[1] == -round);
    shmem_sync_all();
  }
  const int pes[] = {0, shmem_n_pes() - 1};
  shmem_long_p(data, 5, pes[1]);
  shmem_pe_quiet(pes, 2);
  shmem_ctx_pe_quiet(context, pes, 2);
  CHECK(shmem_long_g(data, pes[1]) == 5);
  shmem_free(data);
  shmem_free(flag);
}

int main(void) {
  shmem_init();
  place = shmem_malloc(room * sizeof(long double));
  signals = shmem_calloc(1, sizeof *signals);
  CHECK(place != NULL && signals != NULL);
  CHECK(shmem_ctx_create(0, &context) == 0);
#define RUN_TYPE(A, T, N) test_##N();
  FAR_SHMEM_RMA(RUN_TYPE, )
#define RUN_SIZE(A, BYTES, BITS) test_size_##BITS();
  FAR_SHMEM_SIZES(RUN_SIZE, )
  test_mem();
  test_signals();
  test_lengths();
  test_order();
  shmem_ctx_destroy(context);
  shmem_finalize();
  return 0;
}
