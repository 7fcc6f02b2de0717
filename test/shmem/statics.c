/* Static variables of the executable are symmetric: of .data and .bss, initialized and not, local to
 * a function and not. cmake/far_shmem_tests.cmake builds it as a position-independent executable and
 * as one that is not. */

#include "check.h"

enum { many = 1 << 18 };

static long zero[many];                /* .bss */
static long counted[4] = {1, 2, 3, 4}; /* .data */
long visible = 5;
static uint64_t sig;
static long lock;
static const long constant = 7;

static void test_transfers(void) {
  static long local[2] = {8, 9};
  CHECK(counted[3] == 4 && visible == 5 && zero[many - 1] == 0); /* as before shmem_init */
  shmem_barrier_all();
  CHECK(shmem_long_g(counted + 2, next_pe()) == 3);
  shmem_long_p(&visible, 50 + shmem_my_pe(), next_pe());
  shmem_long_p(local + 1, shmem_my_pe(), next_pe());
  shmem_long_atomic_add(counted, 10, 0);
  shmem_barrier_all();
  CHECK(visible == 50 + previous_pe() && local[0] == 8 && local[1] == previous_pe());
  CHECK(shmem_long_g(counted, 0) == 1 + 10L * shmem_n_pes());

  for (long i = 0; i < many; ++i) zero[i] = i + shmem_my_pe();
  shmem_barrier_all();
  long* const copy = malloc(sizeof zero);
  shmem_long_get(copy, zero, many, next_pe());
  for (long i = 0; i < many; ++i) CHECK(copy[i] == i + next_pe());
  shmem_barrier_all();
  shmem_long_put_signal(zero, copy, many, &sig, 1, SHMEM_SIGNAL_SET, previous_pe());
  shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
  const int second = (next_pe() + 1) % shmem_n_pes();
  for (long i = 0; i < many; ++i) CHECK(zero[i] == i + second);
  free(copy);
  shmem_barrier_all();
}

static void test_collectives(void) {
  static int from[2];
  static int to[2];
  static int all[32];
  from[0] = shmem_my_pe() + 1;
  from[1] = 1;
  CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, to, from, 2) == 0);
  CHECK(to[0] == shmem_n_pes() * (shmem_n_pes() + 1) / 2 && to[1] == shmem_n_pes());
  CHECK(shmem_int_fcollect(SHMEM_TEAM_WORLD, all, from, 1) == 0);
  for (int pe = 0; pe < shmem_n_pes(); ++pe) CHECK(all[pe] == pe + 1);
  for (int i = 0; i < 50; ++i) {
    shmem_set_lock(&lock);
    shmem_long_p(counted + 1, shmem_long_g(counted + 1, 0) + 1, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(counted + 1, 0) == 2 + 50L * shmem_n_pes());
}

int main(void) {
  shmem_init();
  test_transfers();
  test_collectives();
  CHECK(shmem_addr_accessible(&visible, shmem_n_pes() - 1) == 1);
  CHECK(shmem_ptr(&visible, shmem_my_pe()) == &visible);
  CHECK(constant == 7);
  visible = 77;
  shmem_finalize();
  return visible == 77 && zero[1] != 0 ? 0 : 1; /* they are still there */
}
