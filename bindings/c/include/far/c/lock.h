/// Locks for all threads of all ranks.
#ifndef FAR_C_LOCK_H
#define FAR_C_LOCK_H

#include "far/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One holder at a time, first come, first served.
typedef struct far_lock far_lock;

/// Collective: the rank `home` keeps the word that all change.
far_status far_lock_create(int home, far_lock** lock);
/// This rank does not use it any more, as far_map_destroy. Nobody of the rank holds it. Null: no-op.
far_status far_lock_destroy(far_lock* lock);
/// Waits for the lock at most `timeout_ns`; 0 tries. `acquired` becomes 1, or 0 if the time has
/// passed first; may be null if the timeout is FAR_FOREVER.
/// Cost: an atomic operation at the home if it is free.
/// Errors: FAR_BAD_ARGUMENT if this thread holds it; FAR_RANK_FAILED, also when a holder dies.
far_status far_lock_acquire(far_lock* lock, uint64_t timeout_ns, int* acquired);
/// Errors: FAR_BAD_ARGUMENT if this thread does not hold it.
far_status far_lock_release(far_lock* lock);

/// One writer, or many readers.
typedef struct far_rw_lock far_rw_lock;

typedef enum far_rw_mode { FAR_READ = 0, FAR_WRITE = 1 } far_rw_mode;

/// Collective.
far_status far_rw_lock_create(far_rw_lock** lock);
/// This rank does not use it any more, as far_map_destroy. Nobody of the rank holds it. Null: no-op.
far_status far_rw_lock_destroy(far_rw_lock* lock);
/// As far_lock_acquire; `mode` is a far_rw_mode. A reader's cost: an atomic operation on the nearest counter.
far_status far_rw_lock_acquire(far_rw_lock* lock, int mode, uint64_t timeout_ns,
                               int* acquired);
far_status far_rw_lock_release(far_rw_lock* lock, int mode);

#ifdef __cplusplus
}
#endif

#endif
