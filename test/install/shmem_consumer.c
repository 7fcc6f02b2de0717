/* A program of OpenSHMEM, in C and C++, built against an installed libfar_shmem. */

#include <shmem.h>

#include <stdio.h>

int main(void) {
  long* sum;
  shmem_init();
  sum = (long*)shmem_calloc(1, sizeof(long));
  shmem_long_atomic_inc(sum, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("far-shmem, %ld PEs\n", *sum);
  shmem_finalize();
  return 0;
}
