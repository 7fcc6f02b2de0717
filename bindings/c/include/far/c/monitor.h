/// Synchronization of threads by shared objects: monitors, and fields as Java's volatile ones.
#ifndef FAR_C_MONITOR_H
#define FAR_C_MONITOR_H

#include "far/c/memory.h"
#include "far/c/objects.h"
#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// All calls are safe points. Entering and waiting acquire, leaving and waiting publish: a thread
// sees what others had changed before they left the monitor.

/// Enters the object's monitor; a thread may enter it again. First come, first served.
/// Cost: a message to the home and one back; an atomic operation where ranks share memory.
far_status far_monitor_enter(far_space* space, far_ref object);
/// `entered` becomes 1, or 0 if another thread is in it.
far_status far_monitor_try_enter(far_space* space, far_ref object, int* entered);
/// Leaves it when it has been called as often as enter.
/// Errors, of all that follow: FAR_BAD_ARGUMENT if the thread is not in the monitor.
far_status far_monitor_exit(far_space* space, far_ref object);
/// 1 if the thread is in the monitor, else 0.
int far_monitor_is_held(far_space* space, far_ref object);

/// How a wait has ended.
typedef enum far_wait_end {
  FAR_TIMED_OUT = 0,
  FAR_NOTIFIED = 1,
  FAR_WAIT_INTERRUPTED = 2  ///< by far_interrupt_wait
} far_wait_end;

/// Leaves the monitor, however often entered, until it is notified, `timeout_ns` has passed or it is
/// interrupted, then enters it again. `end` may be null.
far_status far_monitor_wait(far_space* space, far_ref object, uint64_t timeout_ns,
                            far_wait_end* end);
/// The number of the calling thread's attachment, from 0; -1: none. Of those of a rank that exist at
/// the same time, each has another.
int far_attachment_number(void);
/// The wait of the thread with this attachment ends, or its next one if it is in none. Java's
/// Thread.interrupt. No-op if there is no such attachment. The caller is attached itself.
far_status far_interrupt_wait(far_space* space, int attachment);
/// The thread gives the monitor that it is in to its rank, and a thread of the rank takes it from
/// there, as if it had entered it as often. Publishes, and acquires. Costs no message: for ranks
/// whose threads queue by other means.
/// Errors: FAR_BAD_ARGUMENT if this thread is not in the monitor (lend), or it is not lent (borrow).
far_status far_monitor_lend(far_space* space, far_ref object);
far_status far_monitor_borrow(far_space* space, far_ref object);
/// Wakes the threads that have waited longest, once this thread leaves the monitor.
far_status far_monitor_notify(far_space* space, far_ref object);
far_status far_monitor_notify_all(far_space* space, far_ref object);

/// An operation on a field of `width` bytes, 4 or 8, which is used in this way alone: at the home,
/// sequentially consistent with all others. FAR_STORE publishes before; the others also acquire
/// after. `old` as in far_atomic.
/// Cost: an atomic operation at the home, and what publishing costs.
far_status far_volatile(far_space* space, far_ref object, size_t offset, int width,
                        int op, uint64_t operand, uint64_t compare, uint64_t* old);
/// The same for element `i` of an array whose elements are of `width` bytes.
far_status far_volatile_element(far_space* space, far_ref array, uint64_t i, int width,
                                int op, uint64_t operand, uint64_t compare,
                                uint64_t* old);

#ifdef __cplusplus
}
#endif

#endif
