/* What the tests of the C interface share. */
#ifndef FAR_TEST_CHECK_H
#define FAR_TEST_CHECK_H

#include <far/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the job with a line unless the condition holds. */
#define CHECK(condition)                                                                       \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, far_rank(), #condition);     \
      far_exit_job(1);                                                                         \
    }                                                                                          \
  } while (0)

/* The same for a call that must succeed. */
#define OK(call)                                                                               \
  do {                                                                                         \
    const far_status status_ = (call);                                                         \
    if (status_ != FAR_OK) {                                                                   \
      fprintf(stderr, "%s:%d: rank %d: %s: %s\n", __FILE__, __LINE__, far_rank(), #call,       \
              far_error_message());                                                            \
      far_exit_job(1);                                                                         \
    }                                                                                          \
  } while (0)

/* For one that must fail in this way, and say why in one line with these words. */
#define FAILS(status, words, call)                                                           \
  do {                                                                                       \
    const far_status status_ = (call);                                                       \
    const char* const said_ = status_ == FAR_OK ? "nothing" : far_error_message();           \
    if (status_ != (status) || strstr(said_, words) == NULL || strchr(said_, '\n') != NULL) { \
      fprintf(stderr, "%s:%d: rank %d: %s fails with %d and says '%s'\n", __FILE__,          \
              __LINE__, far_rank(), #call, (int)status_, said_);                             \
      far_exit_job(1);                                                                       \
    }                                                                                        \
  } while (0)

#endif
