/* What the GA programs here share. They print only what does not depend on timing or on the number
 * of ranks' order, and use numbers that sums do not round, so that two implementations of ARMCI
 * must print the same. */
#ifndef FAR_TEST_GA_CHECK_H
#define FAR_TEST_GA_CHECK_H

#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int me, procs;

static inline void begin(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  MA_init(C_DBL, 4000000, 4000000);
  me = GA_Nodeid();
  procs = GA_Nnodes();
}

static inline int end(void) {
  GA_Sync();
  if (me == 0) printf("end\n");
  fflush(stdout);
  GA_Terminate();
  MPI_Finalize();
  return 0;
}

/* Prints on rank 0. A function, so that all ranks evaluate the arguments. */
__attribute__((format(printf, 1, 2))) static inline void say(const char* format, ...) {
  va_list values;
  if (me != 0) return;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
}

/* Collective: prints the sum of all elements, and the sum weighted by their positions. */
static inline void report(const char* what, int array) {
  int type, dimensions, dims[GA_MAX_DIM], lo[GA_MAX_DIM], hi[GA_MAX_DIM], ld[GA_MAX_DIM];
  GA_Sync();
  NGA_Inquire(array, &type, &dimensions, dims);
  if (me == 0) {
    long elements = 1;
    int width = type == C_INT || type == C_FLOAT ? 1 : type == C_LONG || type == C_DBL ? 1 : 2;
    double sum = 0, weighted = 0;
    for (int d = 0; d < dimensions; ++d) {
      lo[d] = 0;
      hi[d] = dims[d] - 1;
      if (d > 0) ld[d - 1] = dims[d];
      elements *= dims[d];
    }
    void* all = malloc((size_t)elements * 16);
    NGA_Get(array, lo, hi, all, ld);
    for (long i = 0; i < elements * width; ++i) {
      double value = type == C_INT                       ? ((int*)all)[i]
                     : type == C_LONG                    ? (double)((long*)all)[i]
                     : type == C_FLOAT || type == C_SCPL ? ((float*)all)[i]
                                                         : ((double*)all)[i];
      sum += value;
      weighted += value * (double)(i % 1009 + 1);
    }
    free(all);
    printf("%s: %ld elements, sum %.17g, weighted %.17g\n", what, elements, sum, weighted);
  }
  GA_Sync();
}

#endif
