/* C11: the names without types, with and without contexts. */

#include "check.h"

#include <pshmem.h>

static shmem_ctx_t context = SHMEM_CTX_INVALID; /* handles can be initializers */
static shmem_team_t team = SHMEM_TEAM_WORLD;

/* Lists of this file: the selections use the header's, and a macro does not expand inside itself. */
#define WORDS(X)               \
  X(int, int)                  \
  X(long, long)                \
  X(long long, longlong)       \
  X(unsigned int, uint)        \
  X(unsigned long, ulong)      \
  X(unsigned long long, ulonglong)
#define TYPES(X)              \
  WORDS(X)                    \
  X(float, float)             \
  X(double, double)           \
  X(long double, longdouble)  \
  X(char, char)               \
  X(signed char, schar)       \
  X(short, short)             \
  X(unsigned char, uchar)     \
  X(unsigned short, ushort)

#define TEST_RMA(T, N)                                                        \
  static void rma_##N(void* memory) {                                         \
    T* const there = memory;                                                  \
    T mine[4] = {1, 2, 3, 4};                                                 \
    T got[4] = {0};                                                           \
    uint64_t* const word = (uint64_t*)((char*)memory + 1024);                 \
    *word = 0;                                                                \
    shmem_barrier_all();                                                      \
    shmem_put(there, mine, 4, next_pe());                                     \
    shmem_put(context, there, mine, 4, next_pe());                            \
    shmem_put_nbi(there, mine, 4, next_pe());                                 \
    shmem_put_nbi(context, there, mine, 4, next_pe());                        \
    shmem_iput(there, mine, 1, 1, 4, next_pe());                              \
    shmem_iput(context, there, mine, 1, 1, 4, next_pe());                     \
    shmem_ibput(there, mine, 2, 2, 2, 2, next_pe());                          \
    shmem_ibput(context, there, mine, 2, 2, 2, 2, next_pe());                 \
    shmem_put_signal(there, mine, 4, word, 1, SHMEM_SIGNAL_ADD, next_pe());   \
    shmem_put_signal(context, there, mine, 4, word, 1, SHMEM_SIGNAL_ADD, next_pe()); \
    shmem_put_signal_nbi(there, mine, 4, word, 1, SHMEM_SIGNAL_ADD, next_pe()); \
    shmem_put_signal_nbi(context, there, mine, 4, word, 1, SHMEM_SIGNAL_ADD, next_pe()); \
    shmem_p(there, 1, next_pe());                                             \
    shmem_p(context, there + 1, (T)2, next_pe());                             \
    CHECK(shmem_signal_wait_until(word, SHMEM_CMP_EQ, 4) == 4);               \
    shmem_quiet();                                                            \
    shmem_ctx_quiet(context);                                                 \
    shmem_sync(team);                                                         \
    for (int i = 0; i < 4; ++i) CHECK(there[i] == mine[i]);                   \
    shmem_get(got, there, 4, next_pe());                                      \
    shmem_get(context, got, (const T*)there, 4, next_pe());                   \
    shmem_get_nbi(got, there, 4, next_pe());                                  \
    shmem_get_nbi(context, got, there, 4, next_pe());                         \
    shmem_quiet();                                                            \
    shmem_ctx_quiet(context);                                                 \
    shmem_iget(got, there, 1, 1, 4, next_pe());                               \
    shmem_iget(context, got, there, 1, 1, 4, next_pe());                      \
    shmem_ibget(got, there, 2, 2, 2, 2, next_pe());                           \
    shmem_ibget(context, got, there, 2, 2, 2, 2, next_pe());                  \
    for (int i = 0; i < 4; ++i) CHECK(got[i] == mine[i]);                     \
    CHECK(shmem_g(there + 2, next_pe()) == 3);                                \
    CHECK(shmem_g(context, there + 3, next_pe()) == 4);                       \
    T* const from = there + 4;                                                \
    for (int i = 0; i < 4; ++i) from[i] = (T)(i + 1);                         \
    CHECK(shmem_broadcast(team, there, from, 1, 0) == 0 && there[0] == 1);    \
    CHECK(shmem_collect(team, there + 8, from, 1) == 0 && there[8] == 1);     \
    CHECK(shmem_fcollect(team, there + 8, from, 1) == 0 && there[8] == 1);    \
    CHECK(shmem_max_reduce(team, there, from, 4) == 0 && there[3] == 4);      \
    CHECK(shmem_min_reduce(team, there, from, 4) == 0 && there[3] == 4);      \
    CHECK(shmem_prod_reduce(team, there, from, 1) == 0 && there[0] == 1);     \
    CHECK(shmem_sum_reduce(team, there, from, 1) == 0);                       \
    CHECK(there[0] == (T)shmem_n_pes());                                      \
    CHECK(shmem_sum_inscan(team, there, from, 1) == 0);                       \
    CHECK(there[0] == (T)(shmem_my_pe() + 1));                                \
    CHECK(shmem_sum_exscan(team, there, from, 1) == 0);                       \
    CHECK(there[0] == (T)shmem_my_pe());                                      \
    shmem_sync(team);                                                         \
  }
TYPES(TEST_RMA)

#define TEST_AMO(T, N)                                                \
  static void amo_##N(void* memory) {                                 \
    T* const word = memory;                                           \
    T old = 0;                                                        \
    shmem_atomic_set(word, 1, shmem_my_pe());                         \
    CHECK(shmem_atomic_fetch(word, shmem_my_pe()) == 1);              \
    CHECK(shmem_atomic_fetch_add(word, 2, shmem_my_pe()) == 1);       \
    CHECK(shmem_atomic_fetch_inc(context, word, shmem_my_pe()) == 3); \
    CHECK(shmem_atomic_swap(word, 5, shmem_my_pe()) == 4);            \
    CHECK(shmem_atomic_compare_swap(word, 5, 6, shmem_my_pe()) == 5); \
    shmem_atomic_add(context, word, 1, shmem_my_pe());                \
    shmem_atomic_inc(word, shmem_my_pe());                            \
    shmem_ctx_quiet(context);                                         \
    shmem_quiet();                                                    \
    shmem_atomic_fetch_add_nbi(&old, word, 1, shmem_my_pe());         \
    shmem_quiet();                                                    \
    CHECK(old == 8);                                                  \
    shmem_wait_until(word, SHMEM_CMP_EQ, 9);                          \
    CHECK(shmem_test(word, SHMEM_CMP_EQ, 9));                         \
    CHECK(shmem_wait_until_any(word, 1, NULL, SHMEM_CMP_GE, 9) == 0); \
    /* deprecated */                                                  \
    CHECK(shmem_fadd(word, 1, shmem_my_pe()) == 9);                   \
    CHECK(shmem_finc(word, shmem_my_pe()) == 10);                     \
    CHECK(shmem_cswap(word, 11, 12, shmem_my_pe()) == 11);            \
    CHECK(shmem_swap(word, 13, shmem_my_pe()) == 12);                 \
    shmem_set(word, 1, shmem_my_pe());                                \
    shmem_inc(word, shmem_my_pe());                                   \
    shmem_add(word, 1, shmem_my_pe());                                \
    shmem_quiet();                                                    \
    CHECK(shmem_fetch(word, shmem_my_pe()) == 3);                     \
  }
WORDS(TEST_AMO)

/* Profilers define the first name and call the second. */
static int fences;
void shmem_fence(void) {
  ++fences;
  pshmem_fence();
}

int main(void) {
  shmem_init();
  void* const memory = shmem_malloc(2048);
  CHECK(shmem_ctx_create(0, &context) == 0);
#define RUN_RMA(T, N) rma_##N(memory);
  TYPES(RUN_RMA)
#define RUN_AMO(T, N) amo_##N(memory);
  WORDS(RUN_AMO)
  double _Complex* const pair = memory;
  pair[1] = 3;
  CHECK(shmem_sum_reduce(team, pair, pair + 1, 1) == 0 && pair[0] == 3 * shmem_n_pes());
  unsigned* const bits = memory;
  bits[1] = 6;
  CHECK(shmem_and_reduce(team, bits, bits + 1, 1) == 0 && bits[0] == 6);
  CHECK(shmem_atomic_fetch_or(bits, 1U, shmem_my_pe()) == 6);
  shmem_fence();
  CHECK(fences == 1);
  uint64_t* const word = memory;
  *word = 0;
  shmem_barrier_all();
  shmem_signal_set(word, 3, next_pe());
  CHECK(shmem_signal_wait_until(word, SHMEM_CMP_EQ, 3) == 3);
  shmem_sync_all();
  shmem_signal_add(context, word, 3, next_pe());
  CHECK(shmem_signal_wait_until(word, SHMEM_CMP_EQ, 6) == 6);
  shmem_ctx_destroy(context);
  shmem_finalize();
  return 0;
}
