/* Collectives of every type on teams of several shapes, with results that differ for each PE. */

#include "check.h"

#include <complex.h>

enum { most = 16, n = 5 }; /* PEs, elements */

static void* from;
static void* to;
static shmem_team_t team;
static int me;
static int size;

/* Element i of PE `pe` of the team. Small, so that products fit into a char. */
#define VALUE(T, pe, i) ((T)(1 + ((pe) + (i)) % 2))

#define FILL(T, count)                                                 \
  T* const source = from;                                              \
  T* const dest = to;                                                  \
  for (int i = 0; i < (count); ++i) source[i] = VALUE(T, me, i);       \
  for (int i = 0; i < most * n * 4; ++i) dest[i] = 99;                 \
  shmem_team_sync(team)

/* BROADCAST and so on: of the type, or of its bytes. k: elements in what the function counts. */
#define CHECK_MOVING(T, k, BROADCAST, COLLECT, FCOLLECT, ALLTOALL)                              \
  do {                                                                                          \
    FILL(T, size* n);                                                                           \
    for (int root = 0; root < size; ++root) {                                                   \
      CHECK(shmem_##BROADCAST(team, dest, source, n * (k), root) == 0);                         \
      for (int i = 0; i < n; ++i) CHECK(dest[i] == VALUE(T, root, i));                          \
      CHECK(dest[n] == 99);                                                                     \
      shmem_team_sync(team);                                                                    \
    }                                                                                           \
    CHECK(shmem_##FCOLLECT(team, dest, source, n * (k)) == 0);                                  \
    for (int pe = 0; pe < size; ++pe)                                                           \
      for (int i = 0; i < n; ++i) CHECK(dest[pe * n + i] == VALUE(T, pe, i));                   \
    CHECK(dest[size * n] == 99);                                                                \
    shmem_team_sync(team);                                                                      \
    for (int i = 0; i < size * n; ++i) dest[i] = 99;                                            \
    shmem_team_sync(team);                                                                      \
    const int mine = me % 3; /* some have nothing */                                            \
    CHECK(shmem_##COLLECT(team, dest, source, (size_t)(mine * (k))) == 0);                      \
    int at = 0;                                                                                 \
    for (int pe = 0; pe < size; ++pe)                                                           \
      for (int i = 0; i < pe % 3; ++i) CHECK(dest[at++] == VALUE(T, pe, i));                    \
    CHECK(dest[at] == 99);                                                                      \
    shmem_team_sync(team);                                                                      \
    CHECK(shmem_##ALLTOALL(team, dest, source, n * (k)) == 0);                                  \
    for (int pe = 0; pe < size; ++pe)                                                           \
      for (int i = 0; i < n; ++i) CHECK(dest[pe * n + i] == VALUE(T, pe, me * n + i));          \
    CHECK(dest[size * n] == 99);                                                                \
    shmem_team_sync(team);                                                                      \
  } while (0)

#define TEST_MOVING(A, T, N)                                                                       \
  static void moving_##N(void) {                                                                   \
    CHECK_MOVING(T, 1, N##_broadcast, N##_collect, N##_fcollect, N##_alltoall);                    \
    FILL(T, size * n * 2);                                                                         \
    CHECK(shmem_##N##_alltoalls(team, dest, source, 3, 2, n) == 0);                                \
    for (int pe = 0; pe < size; ++pe)                                                              \
      for (int i = 0; i < n; ++i) {                                                                \
        CHECK(dest[3 * (pe * n + i)] == VALUE(T, pe, 2 * (me * n + i)));                           \
        CHECK(dest[3 * (pe * n + i) + 1] == 99);                                                   \
      }                                                                                            \
    shmem_team_sync(team);                                                                         \
  }
FAR_SHMEM_RMA(TEST_MOVING, )

static void moving_mem(void) {
  CHECK_MOVING(int, sizeof(int), broadcastmem, collectmem, fcollectmem, alltoallmem);
  FILL(char, size * n * 2);
  CHECK(shmem_alltoallsmem(team, dest, source, 3, 2, n) == 0);
  for (int i = 0; i < size * n; ++i) CHECK(dest[3 * i] == VALUE(char, i / n, 2 * (me * n + i % n)));
  shmem_team_sync(team);
}

/* In place, too. STEP changes `want`, from the value of PE 0, by `next`, that of the next PE. */
#define CHECK_REDUCTION(T, OP, STEP)                                    \
  do {                                                                  \
    FILL(T, n);                                                         \
    for (int place = 0; place < 2; ++place) {                           \
      CHECK(shmem_##OP(team, place ? source : dest, source, n) == 0);   \
      for (int i = 0; i < n; ++i) {                                     \
        T want = VALUE(T, 0, i);                                        \
        for (int pe = 1; pe < size; ++pe) {                             \
          const T next = VALUE(T, pe, i);                               \
          STEP;                                                         \
        }                                                               \
        CHECK((place ? source : dest)[i] == want);                      \
      }                                                                 \
      CHECK(dest[n] == 99);                                             \
      shmem_team_sync(team);                                            \
    }                                                                   \
  } while (0)

#define TEST_BITWISE(A, T, N)                                   \
  static void bitwise_##N(void) {                               \
    CHECK_REDUCTION(T, N##_and_reduce, want = (T)(want & next)); \
    CHECK_REDUCTION(T, N##_or_reduce, want = (T)(want | next));  \
    CHECK_REDUCTION(T, N##_xor_reduce, want = (T)(want ^ next)); \
  }
FAR_SHMEM_BITWISE(TEST_BITWISE, )
#define TEST_ORDERED(A, T, N)                                                \
  static void ordered_##N(void) {                                            \
    CHECK_REDUCTION(T, N##_max_reduce, want = want < next ? next : want);    \
    CHECK_REDUCTION(T, N##_min_reduce, want = next < want ? next : want);    \
  }
FAR_SHMEM_ORDERED(TEST_ORDERED, )
#define TEST_SUMMED(A, T, N)                                                            \
  static void summed_##N(void) {                                                        \
    CHECK_REDUCTION(T, N##_sum_reduce, want = (T)(want + next));                        \
    CHECK_REDUCTION(T, N##_prod_reduce, want = (T)(want * next));                       \
    for (int exclusive = 0; exclusive < 2; ++exclusive) {                               \
      FILL(T, n);                                                                       \
      CHECK((exclusive ? shmem_##N##_sum_exscan(team, dest, source, n)                  \
                       : shmem_##N##_sum_inscan(team, dest, source, n)) == 0);          \
      for (int i = 0; i < n; ++i) {                                                     \
        T want = 0;                                                                     \
        for (int pe = 0; pe + exclusive <= me; ++pe) want = (T)(want + VALUE(T, pe, i)); \
        CHECK(dest[i] == want);                                                         \
      }                                                                                 \
      CHECK(dest[n] == 99);                                                             \
      shmem_team_sync(team);                                                            \
    }                                                                                   \
  }
FAR_SHMEM_SUMMED(TEST_SUMMED, )

static void on_team(shmem_team_t which) {
  if (which == SHMEM_TEAM_INVALID) return;
  team = which;
  me = shmem_team_my_pe(team);
  size = shmem_team_n_pes(team);
  CHECK(shmem_team_translate_pe(team, me, SHMEM_TEAM_WORLD) == shmem_my_pe());
#define RUN_MOVING(A, T, N) moving_##N();
  FAR_SHMEM_RMA(RUN_MOVING, )
  moving_mem();
#define RUN_BITWISE(A, T, N) bitwise_##N();
  FAR_SHMEM_BITWISE(RUN_BITWISE, )
#define RUN_ORDERED(A, T, N) ordered_##N();
  FAR_SHMEM_ORDERED(RUN_ORDERED, )
#define RUN_SUMMED(A, T, N) summed_##N();
  FAR_SHMEM_SUMMED(RUN_SUMMED, )
}

/* Lists that do not fit into one message. */
static void test_long_lists(void) {
  enum { many = 100000 };
  long* const source = shmem_malloc(many * sizeof(long));
  long* const dest = shmem_malloc(many * sizeof(long) * (size_t)shmem_n_pes());
  CHECK(source != NULL && dest != NULL);
  for (long i = 0; i < many; ++i) source[i] = i + shmem_my_pe();
  shmem_barrier_all();
  CHECK(shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, many) == 0);
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    for (long i = 0; i < many; i += 997) CHECK(dest[pe * many + i] == i + pe);
  shmem_barrier_all();
  CHECK(shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, many) == 0);
  for (long i = 0; i < many; i += 997) CHECK(dest[i] == i + shmem_n_pes() - 1);
  shmem_free(source);
  shmem_free(dest);
}

int main(void) {
  shmem_init();
  from = shmem_malloc(most * n * 4 * sizeof(double _Complex));
  to = shmem_malloc(most * n * 4 * sizeof(double _Complex));
  const int all = shmem_n_pes();
  CHECK(from != NULL && to != NULL && all <= most);
  shmem_team_t other;
  on_team(SHMEM_TEAM_WORLD);
  on_team(SHMEM_TEAM_SHARED);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (all + 1) / 2, NULL, 0, &other) == 0);
  on_team(other);
  shmem_team_destroy(other);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, all - 1, -1, all, NULL, 0, &other) == 0);
  on_team(other);
  shmem_team_destroy(other);
  shmem_barrier_all();
  test_long_lists();
  shmem_finalize();
  return 0;
}
