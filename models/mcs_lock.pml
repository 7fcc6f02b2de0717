/* src/far/sync/mcs_lock.hpp: threads that lock and unlock forever, or end at any time.
 *
 *   THREADS  the number of threads
 *   LEAVE    a bit for each thread: it may give up, and try
 *   BOUND    how many acquisitions may overtake a thread that waits in its place and does not give
 *            up: THREADS - 1. The threads before it get the lock once each, then queue behind it.
 *            The same holds for threads that left a place before it and return to it in time.
 *
 * Checked: one holder at a time; no deadlock (no invalid end); BOUND, for thread 0, which
 * represents any thread.
 */

#define NODES   THREADS
#define QUEUES  1

#ifndef MUTANT
#define MUTANT 0
#endif

bool holding, in_place;
byte overtaken;

#define place_taken() if :: me == 0 -> in_place = true :: else fi
#define gives_up()    if :: me == 0 -> in_place = false; overtaken = 0 :: else fi
#define place_left()

#include "mcs_queue.pml"

inline hold() {
  atomic {
    assert(!holding);
    holding = true;
    if
    :: me == 0 -> in_place = false; overtaken = 0
    :: me != 0 && in_place -> overtaken++; assert(overtaken <= BOUND)
    :: else
    fi
  }
  holding = false
}

proctype client(byte me) {
  QUEUE_VARIABLES;
  do
  :: true ->
    if
    :: enter(0, me + 1) /* lock */
    :: (LEAVE >> me) & 1 -> patient = false; enter(0, me + 1) /* try_lock_until */
    :: (LEAVE >> me) & 1 -> try_enter(0, me + 1)              /* try_lock */
    fi;
    if
    :: head ->
      hold();
      pass(0, me + 1, first)
    :: else
    fi;
    atomic { head = false; value = 0; passed = false; patient = true }
  :: true -> break
  od
}

init {
  atomic {
    byte i;
    for (i : 0 .. THREADS - 1) {
      run client(i)
    }
  }
}
