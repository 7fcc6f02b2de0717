/// What the functions of libfar's C interface return.
#ifndef FAR_C_STATUS_H
#define FAR_C_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_status {
  FAR_OK = 0,
  FAR_BAD_ARGUMENT = 1,  ///< an argument that cannot be used as given
  FAR_OUT_OF_BOUNDS = 2,
  FAR_OUT_OF_MEMORY = 3,  ///< the message names the option that raises the limit
  FAR_RANK_FAILED = 4,    ///< a rank has ended before its job: every call that waits returns this
  FAR_INTERRUPTED = 5,    ///< far_interrupt was called in this process
  FAR_NO_JOB = 6,         ///< the process is in no job, or the thread not attached to it
  FAR_FABRIC_ERROR = 7,   ///< a failure of a system call or a network link
  FAR_ERROR = 8           ///< any other
} far_status;

/// No limit, for timeouts in nanoseconds.
#define FAR_FOREVER UINT64_MAX

/// The message of the calling thread's last call that did not return FAR_OK; "" before the first.
/// Valid until the next such call of the thread.
const char* far_error_message(void);

/// The rank that the thread's last FAR_RANK_FAILED or FAR_INTERRUPTED was about; -1 before.
int far_failed_rank(void);

#ifdef __cplusplus
}
#endif

#endif
