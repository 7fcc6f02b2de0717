#ifndef FAR_SHMEM_GENERIC_H
#define FAR_SHMEM_GENERIC_H
/* The names without a type, in C11: selections by the type of the first pointer. Many begin with a
 * context or not, so they first select by whether there is one. A type that no function is for ends
 * at a function that takes no argument. */

#include "far_shmem/types.h"

void far_shmem_no_function_for_this_type(void);

#define FAR_SHMEM_FIRST_(a, ...) a
#define FAR_SHMEM_SECOND_(a, b, ...) b
#define FAR_SHMEM_POINTERS_TO_(T, F) T* : F, const T* : F, volatile T* : F, const volatile T* : F,
#define FAR_SHMEM_CASE_(OP, T, N) FAR_SHMEM_POINTERS_TO_(T, shmem_##N##_##OP)
#define FAR_SHMEM_CTX_CASE_(OP, T, N) FAR_SHMEM_POINTERS_TO_(T, shmem_ctx_##N##_##OP)

#define FAR_SHMEM_SELECT_(POINTER, TABLE, CASE, OP) \
  _Generic((POINTER), TABLE(CASE, OP) default : far_shmem_no_function_for_this_type)
/* F(pointer, ...) */
#define FAR_SHMEM_BY_FIRST_(TABLE, OP, ...) \
  FAR_SHMEM_SELECT_(FAR_SHMEM_FIRST_(__VA_ARGS__, 0), TABLE, FAR_SHMEM_CASE_, OP)(__VA_ARGS__)
/* F(team, pointer, ...) */
#define FAR_SHMEM_BY_SECOND_(TABLE, OP, ...) \
  FAR_SHMEM_SELECT_(FAR_SHMEM_SECOND_(__VA_ARGS__, 0, 0), TABLE, FAR_SHMEM_CASE_, OP)(__VA_ARGS__)
/* F(pointer, ...) or F(context, pointer, ...) */
#define FAR_SHMEM_BY_EITHER_(TABLE, OP, ...)                                                    \
  _Generic((FAR_SHMEM_FIRST_(__VA_ARGS__, 0)),                                                  \
      shmem_ctx_t                                                                               \
      : FAR_SHMEM_SELECT_(FAR_SHMEM_SECOND_(__VA_ARGS__, 0, 0), TABLE, FAR_SHMEM_CTX_CASE_, OP), \
        TABLE(FAR_SHMEM_CASE_, OP) default                                                      \
      : far_shmem_no_function_for_this_type)(__VA_ARGS__)

/* Transfers. */
#define shmem_put(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, put, __VA_ARGS__)
#define shmem_get(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, get, __VA_ARGS__)
#define shmem_put_nbi(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, get_nbi, __VA_ARGS__)
#define shmem_put_signal(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, put_signal_nbi, __VA_ARGS__)
#define shmem_iput(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, iput, __VA_ARGS__)
#define shmem_iget(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, iget, __VA_ARGS__)
#define shmem_ibput(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, ibput, __VA_ARGS__)
#define shmem_ibget(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, ibget, __VA_ARGS__)
#define shmem_p(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, p, __VA_ARGS__)
#define shmem_g(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_RMA, g, __VA_ARGS__)

/* Atomics. */
#define shmem_atomic_fetch(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_swap_nbi, __VA_ARGS__)

#define shmem_atomic_compare_swap(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_add_nbi, __VA_ARGS__)

#define shmem_atomic_fetch_and(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_and(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_and, __VA_ARGS__)
#define shmem_atomic_or(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_or, __VA_ARGS__)
#define shmem_atomic_xor(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
  FAR_SHMEM_BY_EITHER_(FAR_SHMEM_DISTINCT_BITWISE_AMO, atomic_fetch_xor_nbi, __VA_ARGS__)

/* Waiting. */
#define shmem_wait_until(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until, __VA_ARGS__)
#define shmem_wait_until_all(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, wait_until_some_vector, __VA_ARGS__)
#define shmem_test(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test, __VA_ARGS__)
#define shmem_test_all(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_all, __VA_ARGS__)
#define shmem_test_any(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_any, __VA_ARGS__)
#define shmem_test_some(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_SYNC, test_some_vector, __VA_ARGS__)

/* Collectives. */
#define shmem_broadcast(...) FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_RMA, broadcast, __VA_ARGS__)
#define shmem_collect(...) FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_RMA, collect, __VA_ARGS__)
#define shmem_fcollect(...) FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_RMA, fcollect, __VA_ARGS__)
#define shmem_alltoall(...) FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_RMA, alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_RMA, alltoalls, __VA_ARGS__)

#define shmem_and_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_BITWISE, and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_BITWISE, or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_BITWISE, xor_reduce, __VA_ARGS__)

#define shmem_max_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_ORDERED, max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_ORDERED, min_reduce, __VA_ARGS__)

#define shmem_sum_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_SUMMED, sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_SUMMED, prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_SUMMED, sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) \
  FAR_SHMEM_BY_SECOND_(FAR_SHMEM_DISTINCT_SUMMED, sum_exscan, __VA_ARGS__)

/* Functions of C, too. */
#define shmem_sync(...)                                                             \
  _Generic((FAR_SHMEM_FIRST_(__VA_ARGS__, 0)), shmem_team_t : shmem_team_sync, default : shmem_sync)( \
      __VA_ARGS__)
#define shmem_signal_set(...)                                                                  \
  _Generic((FAR_SHMEM_FIRST_(__VA_ARGS__, 0)), shmem_ctx_t : shmem_ctx_signal_set, default : shmem_signal_set)( \
      __VA_ARGS__)
#define shmem_signal_add(...)                                                                  \
  _Generic((FAR_SHMEM_FIRST_(__VA_ARGS__, 0)), shmem_ctx_t : shmem_ctx_signal_add, default : shmem_signal_add)( \
      __VA_ARGS__)

/* Deprecated. */
#define shmem_fetch(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_fetch, __VA_ARGS__)
#define shmem_set(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_set, __VA_ARGS__)
#define shmem_swap(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_EXTENDED_AMO, atomic_swap, __VA_ARGS__)
#define shmem_cswap(...) \
  FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_AMO, atomic_compare_swap, __VA_ARGS__)
#define shmem_finc(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_inc, __VA_ARGS__)
#define shmem_inc(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_AMO, atomic_inc, __VA_ARGS__)
#define shmem_fadd(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_AMO, atomic_fetch_add, __VA_ARGS__)
#define shmem_add(...) FAR_SHMEM_BY_FIRST_(FAR_SHMEM_DISTINCT_AMO, atomic_add, __VA_ARGS__)

#endif
