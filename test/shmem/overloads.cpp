// C++: the names without types, as overloads.

#include <complex>

#include "check.h"

namespace {

shmem_ctx_t context = SHMEM_CTX_INVALID;
shmem_team_t const team = SHMEM_TEAM_WORLD;

template <class T>
void test_rma(void* memory) {
  T* const there = static_cast<T*>(memory);
  const T mine[4] = {1, 2, 3, 4};
  T got[4] = {};
  shmem_barrier_all();
  shmem_put(there, mine, 4, next_pe());
  shmem_put(context, there, mine, 4, next_pe());
  shmem_put_nbi(there, mine, 4, next_pe());
  shmem_iput(there, mine, 1, 1, 4, next_pe());
  shmem_ibput(context, there, mine, 2, 2, 2, 2, next_pe());
  shmem_p(there, 1, next_pe());
  shmem_p(context, there + 1, T(2), next_pe());
  shmem_quiet();
  shmem_ctx_quiet(context);
  shmem_sync(team);
  for (int i = 0; i < 4; ++i) CHECK(there[i] == mine[i]);
  shmem_get(got, there, 4, next_pe());
  shmem_get_nbi(context, got, there, 4, next_pe());
  shmem_ctx_quiet(context);
  shmem_iget(got, there, 1, 1, 4, next_pe());
  shmem_ibget(got, there, 2, 2, 2, 2, next_pe());
  for (int i = 0; i < 4; ++i) CHECK(got[i] == mine[i]);
  CHECK(shmem_g(there + 2, next_pe()) == T(3));
  CHECK(shmem_g(context, there + 3, next_pe()) == T(4));
  T* const from = there + 4;
  from[0] = 1;
  CHECK(shmem_broadcast(team, there, from, 1, 0) == 0 && there[0] == T(1));
  CHECK(shmem_fcollect(team, there + 8, from, 1) == 0 && there[8] == T(1));
  CHECK(shmem_max_reduce(team, there, from, 1) == 0 && there[0] == T(1));
  CHECK(shmem_sum_reduce(team, there, from, 1) == 0 && there[0] == T(shmem_n_pes()));
  CHECK(shmem_sum_exscan(team, there, from, 1) == 0 && there[0] == T(shmem_my_pe()));
  shmem_sync(team);
}

template <class T>
void test_amo(void* memory) {
  T* const word = static_cast<T*>(memory);
  const int me = shmem_my_pe();
  T old = 0;
  shmem_atomic_set(word, 1, me);
  CHECK(shmem_atomic_fetch(word, me) == T(1));
  CHECK(shmem_atomic_fetch_add(word, 2, me) == T(1));
  CHECK(shmem_atomic_fetch_inc(context, word, me) == T(3));
  CHECK(shmem_atomic_swap(word, 5, me) == T(4));
  CHECK(shmem_atomic_compare_swap(word, 5, 6, me) == T(5));
  shmem_atomic_fetch_add_nbi(&old, word, 1, me);
  shmem_quiet();
  CHECK(old == T(6));
  shmem_wait_until(word, SHMEM_CMP_EQ, 7);
  CHECK(shmem_test_all(word, 1, nullptr, SHMEM_CMP_EQ, 7));
}

}  // namespace

int main() {
  shmem_init();
  void* const memory = shmem_malloc(2048);
  CHECK(shmem_ctx_create(0, &context) == 0);
#define RUN_RMA(A, T, N) test_rma<T>(memory);
  FAR_SHMEM_DISTINCT_RMA(RUN_RMA, )
#define RUN_AMO(A, T, N) test_amo<T>(memory);
  FAR_SHMEM_DISTINCT_AMO(RUN_AMO, )
  auto* const pair = static_cast<std::complex<double>*>(memory);
  pair[1] = 3;
  CHECK(shmem_sum_reduce(team, pair, pair + 1, 1) == 0 && pair[0].real() == 3. * shmem_n_pes());
  auto* const words = static_cast<far_shmem_complexd*>(memory);
  CHECK(shmem_complexd_prod_reduce(team, words, words + 1, 1) == 0);
  shmem_ctx_destroy(context);
  shmem_finalize();
  return 0;
}
