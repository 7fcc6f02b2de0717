/// The job that this process is a rank of, and the threads of the process that use it.
#ifndef FAR_C_JOB_H
#define FAR_C_JOB_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Collective: joins the job that a launcher has started this process for, or one of one rank. The
/// calling thread is attached.
/// Errors: FAR_BAD_ARGUMENT in a job; FAR_FABRIC_ERROR; FAR_RANK_FAILED.
far_status far_join(void);

/// Collective: leaves the job when everything in flight has completed. Destroys what has been made
/// in it, whose handles must not be used any more, and detaches the caller. The process may then
/// join the next job.
/// Errors: FAR_BAD_ARGUMENT while other threads are attached; FAR_RANK_FAILED: then the process is
///   in no job either.
far_status far_leave(void);

/// This rank has failed: its launcher prints `why`, and the others' calls return FAR_RANK_FAILED.
/// May be called instead of far_leave at any time. The process is in no job then; if other threads
/// are attached, it stays in this one, and their calls return errors.
far_status far_fail(const char* why);

/// Ends the whole job, from any thread: the processes of all ranks end, and the launcher exits with
/// `status` (0 to 255). This process ends at once: destructors and atexit functions do not run.
void far_exit_job(int status);

/// Every call of this process that waits, or will wait, returns FAR_INTERRUPTED from now on to the
/// end of the job: for signal handlers. What was interrupted is unfinished, so call far_fail or
/// far_exit_job then. Without a job it has no effect. Async-signal-safe.
void far_interrupt(void);

/// This process's rank, from 0; -1: it is in no job. Any thread.
int far_rank(void);
/// The number of ranks; 0: it is in no job. Any thread.
int far_size(void);
/// The number of the machine that a rank is on; ranks of one machine have the same.
far_status far_node_of(int rank, int* node);
/// Nanoseconds since the job started; 0: it is in no job. Any thread.
uint64_t far_now_ns(void);

/// Attaches the calling thread, so that it may use the job. A rank has few contexts for threads: 14,
/// or two fewer than FAR_CONTEXTS, which may be 48. If all are in use, waits until another thread
/// detaches or `timeout_ns` has passed. If the thread is attached it only counts: it detaches when
/// it has called far_detach as often.
/// Cost: below 1 us with a context that a thread has left; else one is opened.
/// Errors: FAR_OUT_OF_MEMORY if the time has passed; FAR_NO_JOB.
far_status far_attach(uint64_t timeout_ns);
/// Detaches it: its changes of objects are published, and its context goes to the next thread that
/// attaches. The thread holds no lock and no monitor, and all its transfers have been waited for. A
/// thread that ends is detached.
/// Errors: FAR_NO_JOB if it is not attached; FAR_BAD_ARGUMENT if it holds a lock or monitor.
far_status far_detach(void);
/// What a thread has while it is attached, taken from it.
typedef struct far_attachment far_attachment;
/// The thread goes on with another attachment, or none if `next` is null; `previous` becomes the one
/// that it had, or null. So threads can share one by turns, and a thread may have several: what it
/// does, holds and sees is that of its attachment. Each is used by one thread at a time. Does not
/// publish, and never waits. The caller owns `previous`, until it is exchanged in again and detached.
far_status far_exchange_attachment(far_attachment* next, far_attachment** previous);
/// 1 if the calling thread is attached to the current job, else 0.
int far_is_attached(void);

/// Collective: waits for all ranks. What they had put, and published in object spaces, is visible
/// afterwards. Cost: log2(ranks) signals one after the other.
far_status far_barrier(void);

/// The thread will make no call, nor use pointers to objects, before far_end_outside: it computes
/// for long, or waits by other means than libfar's. Collections of objects do not wait for it
/// meanwhile. Publishes. Calls that wait do the same by themselves.
far_status far_begin_outside(void);
/// The thread goes on: waits for the end of a collection that is under way.
far_status far_end_outside(void);

#ifdef __cplusplus
}
#endif

#endif
