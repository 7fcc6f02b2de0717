/* Every atomic operation on every type: alone, and all PEs at once on one word. */

#include "check.h"

static void* place; /* two words */
static shmem_ctx_t context;

#define CLEAR(T)                        \
  T* const word = place;                \
  const int me = shmem_my_pe();         \
  const int last = shmem_n_pes() - 1;   \
  T old = 0;                            \
  shmem_barrier_all();                  \
  memset(place, 0, 2 * sizeof(T));      \
  (void)me;                             \
  shmem_barrier_all()

/* PE 0 alone, on the last PE's word. */
#define TEST_EXTENDED(A, T, N)                                                    \
  static void test_extended_##N(void) {                                           \
    CLEAR(T);                                                                     \
    if (me == 0) {                                                                \
      shmem_##N##_atomic_set(word, 3, last);                                      \
      CHECK(shmem_##N##_atomic_fetch(word, last) == 3);                           \
      shmem_ctx_##N##_atomic_set(context, word, 4, last);                         \
      shmem_ctx_quiet(context);                                                   \
      CHECK(shmem_ctx_##N##_atomic_fetch(context, word, last) == 4);              \
      CHECK(shmem_##N##_atomic_swap(word, 5, last) == 4);                         \
      CHECK(shmem_ctx_##N##_atomic_swap(context, word, 6, last) == 5);            \
      shmem_##N##_atomic_fetch_nbi(&old, word, last);                             \
      shmem_quiet();                                                              \
      CHECK(old == 6);                                                            \
      shmem_##N##_atomic_swap_nbi(&old, word, 7, last);                           \
      shmem_quiet();                                                              \
      CHECK(old == 6);                                                            \
      shmem_ctx_##N##_atomic_swap_nbi(context, &old, word, 8, last);              \
      shmem_ctx_quiet(context);                                                   \
      CHECK(old == 7);                                                            \
      shmem_ctx_##N##_atomic_fetch_nbi(context, &old, word, last);                \
      shmem_ctx_quiet(context);                                                   \
      CHECK(old == 8 && shmem_##N##_g(word + 1, last) == 0);                      \
    }                                                                             \
    shmem_barrier_all();                                                          \
    CHECK(me != last || word[0] == 8);                                            \
  }
FAR_SHMEM_EXTENDED_AMO(TEST_EXTENDED, )

#define TEST_ARITHMETIC(A, T, N)                                                     \
  static void test_arithmetic_##N(void) {                                            \
    CLEAR(T);                                                                        \
    if (me == 0) {                                                                   \
      shmem_##N##_atomic_inc(word, last);                                            \
      shmem_ctx_##N##_atomic_inc(context, word, last);                               \
      shmem_ctx_quiet(context);                                                      \
      shmem_##N##_atomic_add(word, 3, last);                                         \
      shmem_ctx_##N##_atomic_add(context, word, (T)-1, last);                        \
      shmem_ctx_quiet(context);                                                      \
      shmem_quiet();                                                                 \
      CHECK(shmem_##N##_atomic_fetch_inc(word, last) == 4);                          \
      CHECK(shmem_ctx_##N##_atomic_fetch_inc(context, word, last) == 5);             \
      CHECK(shmem_##N##_atomic_fetch_add(word, 10, last) == 6);                      \
      CHECK(shmem_ctx_##N##_atomic_fetch_add(context, word, 10, last) == 16);        \
      CHECK(shmem_##N##_atomic_compare_swap(word, 25, 1, last) == 26);               \
      CHECK(shmem_##N##_atomic_compare_swap(word, 26, 1, last) == 26);               \
      CHECK(shmem_ctx_##N##_atomic_compare_swap(context, word, 1, 2, last) == 1);    \
      shmem_##N##_atomic_fetch_inc_nbi(&old, word, last);                            \
      shmem_quiet();                                                                 \
      CHECK(old == 2);                                                               \
      shmem_ctx_##N##_atomic_fetch_inc_nbi(context, &old, word, last);               \
      shmem_ctx_quiet(context);                                                      \
      CHECK(old == 3);                                                               \
      shmem_##N##_atomic_fetch_add_nbi(&old, word, 5, last);                         \
      shmem_quiet();                                                                 \
      CHECK(old == 4);                                                               \
      shmem_ctx_##N##_atomic_fetch_add_nbi(context, &old, word, 5, last);            \
      shmem_ctx_quiet(context);                                                      \
      CHECK(old == 9);                                                               \
      shmem_##N##_atomic_compare_swap_nbi(&old, word, 14, 20, last);                 \
      shmem_quiet();                                                                 \
      CHECK(old == 14);                                                              \
      shmem_ctx_##N##_atomic_compare_swap_nbi(context, &old, word, 14, 21, last);    \
      shmem_ctx_quiet(context);                                                      \
      CHECK(old == 20);                                                              \
    }                                                                                \
    shmem_barrier_all();                                                             \
    CHECK(me != last || (word[0] == 20 && word[1] == 0));                            \
    shmem_barrier_all();                                                             \
    for (int i = 0; i < 50; ++i) {                                                   \
      shmem_##N##_atomic_inc(word, last);                                            \
      (void)shmem_ctx_##N##_atomic_fetch_add(context, word, 2, last);                \
    }                                                                                \
    shmem_barrier_all();                                                             \
    CHECK(shmem_##N##_atomic_fetch(word, last) == (T)(20 + 150 * shmem_n_pes()));    \
  }
FAR_SHMEM_AMO(TEST_ARITHMETIC, )

#define TEST_BITWISE(A, T, N)                                                      \
  static void test_bitwise_##N(void) {                                             \
    CLEAR(T);                                                                      \
    const T mine = (T)1 << me;                                                     \
    shmem_##N##_atomic_or(word, mine, last);                                       \
    shmem_barrier_all();                                                           \
    const T all = ((T)1 << (last + 1)) - 1;                                        \
    CHECK(shmem_##N##_atomic_fetch(word, last) == all);                            \
    shmem_barrier_all();                                                           \
    shmem_ctx_##N##_atomic_and(context, word, (T)~mine, last);                     \
    shmem_ctx_quiet(context);                                                      \
    shmem_barrier_all();                                                           \
    CHECK(shmem_##N##_atomic_fetch(word, last) == 0);                              \
    shmem_barrier_all();                                                           \
    shmem_##N##_atomic_xor(word, mine, last);                                      \
    shmem_barrier_all();                                                           \
    if (me == 0) {                                                                 \
      CHECK(shmem_##N##_atomic_fetch_or(word, (T)1 << 9, last) == all);            \
      CHECK(shmem_##N##_atomic_fetch_and(word, (T)1 << 9, last) == (all | (T)1 << 9)); \
      CHECK(shmem_##N##_atomic_fetch_xor(word, 3, last) == (T)1 << 9);             \
      CHECK(shmem_ctx_##N##_atomic_fetch_or(context, word, 4, last) == ((T)1 << 9 | 3)); \
      CHECK(shmem_ctx_##N##_atomic_fetch_and(context, word, 7, last) == ((T)1 << 9 | 7)); \
      CHECK(shmem_ctx_##N##_atomic_fetch_xor(context, word, 2, last) == 7);        \
      shmem_##N##_atomic_fetch_or_nbi(&old, word, 8, last);                        \
      shmem_quiet();                                                               \
      CHECK(old == 5);                                                             \
      shmem_##N##_atomic_fetch_and_nbi(&old, word, 12, last);                      \
      shmem_quiet();                                                               \
      CHECK(old == 13);                                                            \
      shmem_##N##_atomic_fetch_xor_nbi(&old, word, 1, last);                       \
      shmem_quiet();                                                               \
      CHECK(old == 12);                                                            \
      shmem_ctx_##N##_atomic_fetch_or_nbi(context, &old, word, 2, last);           \
      shmem_ctx_quiet(context);                                                    \
      CHECK(old == 13);                                                            \
      shmem_ctx_##N##_atomic_fetch_and_nbi(context, &old, word, 3, last);          \
      shmem_ctx_quiet(context);                                                    \
      CHECK(old == 15);                                                            \
      shmem_ctx_##N##_atomic_fetch_xor_nbi(context, &old, word, 1, last);          \
      shmem_ctx_##N##_atomic_or(context, word + 1, 6, last);                       \
      shmem_ctx_quiet(context);                                                    \
      CHECK(old == 3);                                                             \
      shmem_ctx_##N##_atomic_xor(context, word + 1, 3, last);                      \
      shmem_##N##_atomic_and(word, 3, last);                                       \
      shmem_quiet();                                                               \
      shmem_ctx_quiet(context);                                                    \
    }                                                                              \
    shmem_barrier_all();                                                           \
    CHECK(me != last || (word[0] == 2 && word[1] == 5));                           \
  }
FAR_SHMEM_BITWISE_AMO(TEST_BITWISE, )

int main(void) {
  shmem_init();
  place = shmem_malloc(16);
  CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) == 0);
#define RUN_EXTENDED(A, T, N) test_extended_##N();
  FAR_SHMEM_EXTENDED_AMO(RUN_EXTENDED, )
#define RUN_ARITHMETIC(A, T, N) test_arithmetic_##N();
  FAR_SHMEM_AMO(RUN_ARITHMETIC, )
#define RUN_BITWISE(A, T, N) test_bitwise_##N();
  FAR_SHMEM_BITWISE_AMO(RUN_BITWISE, )
  shmem_ctx_destroy(context);
  shmem_free(place);
  shmem_finalize();
  return 0;
}
