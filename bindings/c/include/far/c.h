/// libfar's C interface, for bindings of other languages and for C programs. In the library far_c:
///
///     #include <far/c.h>
///     ...
///     if (far_join() != FAR_OK) { fprintf(stderr, "%s\n", far_error_message()); exit(1); }
///     printf("rank %d of %d\n", far_rank(), far_size());
///     far_leave();
///
/// C99, also valid C++. A process is one rank of one job at a time, which `far run`, mpirun or srun
/// has started; without a launcher it is the only one. docs/c.md is the page about it.
///
/// Errors: functions return a far_status, and set their results only if that is FAR_OK; no
///   exception leaves them. far_error_message says in one line what was asked, what is wrong and
///   what to do. Pointers to results may not be null, unless a function says so.
/// Threads: all functions may be called by any thread that is attached (job.h), at the same time as
///   others, except the collective ones, which one thread of each rank calls, in the same order on
///   all ranks.
#ifndef FAR_C_H
#define FAR_C_H

#include "far/c/job.h"      // IWYU pragma: export
#include "far/c/lock.h"     // IWYU pragma: export
#include "far/c/map.h"      // IWYU pragma: export
#include "far/c/memory.h"   // IWYU pragma: export
#include "far/c/monitor.h"  // IWYU pragma: export
#include "far/c/objects.h"  // IWYU pragma: export
#include "far/c/queue.h"    // IWYU pragma: export
#include "far/c/status.h"   // IWYU pragma: export

#endif
