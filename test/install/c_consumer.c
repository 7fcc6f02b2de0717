/* A C program of one or more ranks. */
#include <far/c.h>
#include <stdio.h>

int main(void) {
  int failed = far_join() != FAR_OK || far_barrier() != FAR_OK;
  if (!failed && far_rank() == 0) printf("far-c, %d ranks\n", far_size());
  failed = failed || far_leave() != FAR_OK;
  if (failed) fprintf(stderr, "%s\n", far_error_message());
  return failed;
}
