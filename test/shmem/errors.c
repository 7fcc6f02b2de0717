/* Errors: each case, by its number, must end the job with the line that errors.sh expects. */

#include "check.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static char of_the_executable[8];

enum { first_of_holders = 22, last_of_holders = 26 };

/* Ends in some way while others wait for the lock that this PE holds. */
static void end_holding(long* lock, int how) {
  const struct timespec for_others = {0, 20000000};
  shmem_set_lock(lock);
  for (int pe = 0; pe < shmem_my_pe(); ++pe) shmem_long_p(lock + 1, 1, pe);
  shmem_quiet();
  nanosleep(&for_others, NULL);
  switch (how) {
    case 22: raise(SIGKILL); break;
    case 23: exit(0);
    case 24: exit(3);
    case 25: _exit(0);
    default: shmem_finalize(); exit(0);
  }
}

int main(int argc, char** argv) {
  const int which = argc > 1 ? atoi(argv[1]) : 0;
  long automatic = 0;
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  shmem_team_t team = SHMEM_TEAM_INVALID;
  (void)of_the_executable;
  if (which == 0) return shmem_my_pe();
  shmem_init();
  long* const block = shmem_malloc(80);
  long* const freed = shmem_malloc(80);
  shmem_free(freed);
  const int last = shmem_n_pes() - 1;
  if (which == 12) {
    shmem_finalize();
    shmem_barrier_all();
  }
  if (which == 13) shmem_ctx_create(0, &context), shmem_ctx_destroy(context);
  if (which == 14) {
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
    shmem_team_destroy(team);
  }
  if (shmem_my_pe() == last) {
    switch (which) {
      case 1: shmem_long_p(block, 1, last + 1); break;
      case 2: shmem_long_g(block, -1); break;
      case 3: shmem_long_put(&automatic, block, 1, 0); break;
      case 4: shmem_long_get(block, (long*)stdout, 1, 0); break;
      case 5: shmem_long_p(NULL, 1, 0); break;
      case 6: shmem_long_p(malloc(8), 1, 0); break;
      case 7: shmem_long_atomic_inc(freed, 0); break;
      case 8: shmem_long_put(block, malloc(800), 11, 0); break;
      case 9: shmem_ctx_long_p(SHMEM_CTX_INVALID, block, 1, 0); break;
      case 10: shmem_int_sum_reduce(SHMEM_TEAM_INVALID, (int*)block, (int*)block, 1); break;
      case 11: shmem_long_wait_until(&automatic, SHMEM_CMP_EQ, 1); break;
      case 13: shmem_ctx_quiet(context), shmem_ctx_long_g(context, block, 0),
               shmem_ctx_destroy(context); break;
      case 14: shmem_long_broadcast(team, block, block, 1, 0); break;
      case 15: shmem_long_wait_until(block, 77, 1); break;
      case 16: shmem_free(block + 1); break;
      case 17: shmem_clear_lock(block); break;
      case 18: shmem_putmem_signal(block, block + 1, 8, (uint64_t*)block, 1, 9, 0); break;
      case 19: shmem_barrier(0, 0, last + 2, block); break;
      case 20: shmem_long_broadcast(SHMEM_TEAM_WORLD, block, block, 1, last + 1); break;
      case 21: shmem_long_broadcast(SHMEM_TEAM_WORLD, block, block, 1, last); break;
      default: break;
    }
  }
  if (which >= first_of_holders && which <= last_of_holders) {
    *block = 0;
    shmem_barrier_all();
    if (shmem_my_pe() == last) end_holding(block, which);
    shmem_long_wait_until(block + 1, SHMEM_CMP_EQ, 1);
    shmem_set_lock(block);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
