/* Waiting for and testing words of every type, which plain puts change, one or many of them. */

#include "check.h"

#include <time.h>

enum { count = 6 };

static void* place; /* `count` words */

/* All PEs but the last: the last one puts to each. */
#define TEST_TYPE(A, T, N)                                                                       \
  static void test_##N(void) {                                                                   \
    T* const words = place;                                                                      \
    size_t found[count];                                                                         \
    int skip[count] = {0, 1, 0, 0, 0, 0};                                                        \
    T wanted[count];                                                                             \
    for (int i = 0; i < count; ++i) wanted[i] = (T)(i + 1);                                      \
    memset(place, 0, count * sizeof(T));                                                         \
    shmem_barrier_all();                                                                         \
                                                                                                 \
    CHECK(shmem_##N##_test(words, SHMEM_CMP_EQ, 0) && !shmem_##N##_test(words, SHMEM_CMP_NE, 0)); \
    CHECK(shmem_##N##_test(words, SHMEM_CMP_LT, 1) && !shmem_##N##_test(words, SHMEM_CMP_GT, 0)); \
    CHECK(shmem_##N##_test(words, SHMEM_CMP_LE, 0) && shmem_##N##_test(words, SHMEM_CMP_GE, 0)); \
    CHECK(!shmem_##N##_test_all(words, count, skip, SHMEM_CMP_EQ, 1));                           \
    CHECK(shmem_##N##_test_any(words, count, skip, SHMEM_CMP_EQ, 1) == SIZE_MAX);                \
    CHECK(shmem_##N##_test_some(words, count, found, skip, SHMEM_CMP_EQ, 1) == 0);               \
    CHECK(!shmem_##N##_test_all_vector(words, count, skip, SHMEM_CMP_EQ, wanted));               \
    CHECK(shmem_##N##_test_any_vector(words, count, skip, SHMEM_CMP_EQ, wanted) == SIZE_MAX);    \
    CHECK(shmem_##N##_test_some_vector(words, count, found, NULL, SHMEM_CMP_EQ, wanted) == 0);   \
    shmem_barrier_all();                                                                         \
                                                                                                 \
    shmem_##N##_p(words + 2, 3, next_pe());                                                      \
    shmem_##N##_wait_until(words + 2, SHMEM_CMP_EQ, 3);                                          \
    CHECK(shmem_##N##_wait_until_any(words, count, skip, SHMEM_CMP_GE, 3) == 2);                 \
    CHECK(shmem_##N##_test_any(words, count, NULL, SHMEM_CMP_GE, 3) == 2);                       \
    CHECK(shmem_##N##_wait_until_any_vector(words, count, skip, SHMEM_CMP_EQ, wanted) == 2);     \
    CHECK(shmem_##N##_test_any_vector(words, count, NULL, SHMEM_CMP_EQ, wanted) == 2);           \
    shmem_sync_all();                                                                            \
    shmem_##N##_p(words + 4, 5, next_pe());                                                      \
    shmem_##N##_wait_until(words + 4, SHMEM_CMP_GT, 4);                                          \
    CHECK(shmem_##N##_wait_until_some(words, count, found, skip, SHMEM_CMP_NE, 0) == 2);         \
    CHECK(found[0] == 2 && found[1] == 4);                                                       \
    CHECK(shmem_##N##_test_some(words, count, found, skip, SHMEM_CMP_GE, 4) == 1);               \
    CHECK(found[0] == 4);                                                                        \
    CHECK(shmem_##N##_wait_until_some_vector(words, count, found, skip, SHMEM_CMP_EQ, wanted) == \
          2);                                                                                    \
    CHECK(shmem_##N##_test_some_vector(words, count, found, skip, SHMEM_CMP_EQ, wanted) == 2);   \
    shmem_sync_all();                                                                            \
    for (int i = 0; i < count; ++i) {                                                            \
      if (i != 1) shmem_##N##_p(words + i, wanted[i], next_pe());                                \
    }                                                                                            \
    shmem_##N##_wait_until_all(words, count, skip, SHMEM_CMP_GT, 0);                             \
    shmem_##N##_wait_until_all_vector(words, count, skip, SHMEM_CMP_EQ, wanted);                 \
    CHECK(words[1] == 0 && words[0] == 1 && words[5] == 6);                                      \
    CHECK(shmem_##N##_test_all(words, count, skip, SHMEM_CMP_LE, 6));                            \
    CHECK(shmem_##N##_test_all_vector(words, count, skip, SHMEM_CMP_GE, wanted));                \
    CHECK(!shmem_##N##_test_all_vector(words, count, NULL, SHMEM_CMP_GE, wanted));               \
    shmem_barrier_all();                                                                         \
                                                                                                 \
    /* Nothing to wait for. */                                                                   \
    const int all[count] = {1, 1, 1, 1, 1, 1};                                                   \
    shmem_##N##_wait_until_all(words, count, all, SHMEM_CMP_EQ, 77);                             \
    CHECK(shmem_##N##_wait_until_any(words, count, all, SHMEM_CMP_EQ, 77) == SIZE_MAX);          \
    CHECK(shmem_##N##_wait_until_some(words, 0, found, NULL, SHMEM_CMP_EQ, 77) == 0);            \
    CHECK(shmem_##N##_test_all(words, count, all, SHMEM_CMP_EQ, 77));                            \
    shmem_barrier_all();                                                                         \
  }
FAR_SHMEM_SYNC(TEST_TYPE, )

/* Of several words that are ready, each is found in turn. */
static void test_fairness(void) {
  int* const words = place;
  int seen[count] = {0};
  for (int i = 0; i < count; ++i) words[i] = 1;
  for (int i = 0; i < 3 * count; ++i) {
    ++seen[shmem_int_wait_until_any(words, count, NULL, SHMEM_CMP_EQ, 1)];
  }
  for (int i = 0; i < count; ++i) CHECK(seen[i] > 0);
  shmem_barrier_all();
}

/* A long chain of turns, with more PEs than cores. */
static void test_chain(void) {
  int* const turn = place;
  *turn = shmem_my_pe() == 0 ? 1 : 0;
  shmem_barrier_all();
  for (int round = 1; round <= 200; ++round) {
    shmem_int_wait_until(turn, SHMEM_CMP_GE, round);
    shmem_int_p(turn, shmem_my_pe() == shmem_n_pes() - 1 ? round + 1 : round, next_pe());
  }
  shmem_barrier_all();
}

/* Each PE has waited for so long that it sleeps when its word changes. */
static void test_sleepers(void) {
  int* const words = place;
  words[0] = words[1] = 0;
  shmem_barrier_all();
  for (int round = 1; round <= 5; ++round) {
    if (shmem_my_pe() == 0) {
      const struct timespec long_enough = {0, 20000000};
      nanosleep(&long_enough, NULL);
      for (int pe = 1; pe < shmem_n_pes(); ++pe) {
        shmem_int_p(words, round, pe);
        shmem_int_wait_until(words + 1, SHMEM_CMP_EQ, round * shmem_n_pes() + pe);
      }
    } else {
      shmem_int_wait_until(words, SHMEM_CMP_EQ, round);
      shmem_int_p(words + 1, round * shmem_n_pes() + shmem_my_pe(), 0);
    }
  }
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  place = shmem_malloc(count * sizeof(long));
#define RUN_TYPE(A, T, N) test_##N();
  FAR_SHMEM_SYNC(RUN_TYPE, )
  test_fairness();
  test_chain();
  test_sleepers();
  shmem_finalize();
  return 0;
}
