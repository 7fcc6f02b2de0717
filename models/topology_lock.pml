/* src/far/sync/lock_tree.hpp (topology_lock): threads that lock and unlock forever, or end at any
 * time.
 *
 *   THREADS       the number of threads
 *   LEVELS        1 to 3
 *   SIZE1, SIZE2  the number of threads of each element of level 1, and within it of level 2; the
 *                 last elements have the remaining threads
 *   PASSES        max_passes
 *   LEAVE         a bit for each thread: it may give up, and try
 *   WATCHED       the thread for which acquisitions are counted
 *   BOUND         how many acquisitions may overtake a thread that waits in its place and does not
 *                 give up (README.md has the formula)
 *
 * Checked: one holder at a time; no deadlock (no invalid end); BOUND.
 */

#ifndef SIZE1
#define SIZE1 THREADS
#endif
#ifndef SIZE2
#define SIZE2 SIZE1
#endif
#ifndef MUTANT
#define MUTANT 0
#endif

#define COUNT1   ((THREADS + SIZE1 - 1) / SIZE1)
#define COUNT2   ((SIZE1 + SIZE2 - 1) / SIZE2)
#define NODES    (LEVELS * THREADS)
#define QUEUES   (1 + COUNT1 + COUNT1 * COUNT2)
#define SMALLEST (LEVELS - 1)

/* A thread's queues, and its node at a level. Threads are named 0 to THREADS - 1. */
#define queue1(thread) (1 + (thread) / SIZE1)
#define queue2(thread) (1 + COUNT1 + (thread) / SIZE1 * COUNT2 + (thread) % SIZE1 / SIZE2)
#define own(level)     ((level) * THREADS + me + 1)

/* Ghosts. Acquisitions by others count while WATCHED is in its place in the queue of its smallest
 * element, and each of its elements stands, by the node of one of its threads, in the queue of the
 * element above. They do not count while that thread is on its way there: only the thread itself
 * decides how long that takes.
 */
bool holding, in_place;
byte stands[LEVELS], overtaken;

#define is_of_watched(queue) ((queue) == queue1(WATCHED) || (queue) == queue2(WATCHED))
#if LEVELS == 1
#define all_stand true
#elif LEVELS == 2
#define all_stand (stands[1] != 0)
#else
#define all_stand (stands[1] != 0 && stands[2] != 0)
#endif

#define place_taken()                                                                            \
  if                                                                                             \
  :: level == SMALLEST && me == WATCHED && !tries -> in_place = true                             \
  :: level < SMALLEST && is_of_watched(queues[level + 1]) -> stands[level + 1]++                 \
  :: else                                                                                        \
  fi
#define gives_up()                                                                               \
  if                                                                                             \
  :: me == WATCHED -> in_place = false; overtaken = 0                                            \
  :: else                                                                                        \
  fi
#define place_left()                                                                             \
  if                                                                                             \
  :: level < SMALLEST && is_of_watched(queues[level + 1]) -> stands[level + 1]--                 \
  :: else                                                                                        \
  fi

#include "mcs_queue.pml"

/* The value that a head passes on: a node, and the number of passes. */
#define name(node, passes) ((node) + (passes) * (NODES + 1))
#define node_of(name)      ((name) % (NODES + 1))
#define passes_of(name)    ((name) / (NODES + 1))
#if MUTANT != 8 /* passes on as long as a thread waits */
#define counted 1
#else
#define counted 0
#endif

/* At the end the thread holds the lock (`head`), or has given up. */
inline acquire() {
  level = SMALLEST;
  do
  :: true ->
    if
    :: tries -> try_enter(queues[level], own(level))
    :: else -> enter(queues[level], own(level))
    fi;
    if
    :: atomic { head && level != 0 && value == first -> head = false; level-- }
    :: else -> break
    fi
  od;
  if
  :: atomic { /* only the holder uses these words, until it passes on */
      head ->
      assert(!holding);
      holding = true;
      if
      :: me == WATCHED -> in_place = false; overtaken = 0
      :: me != WATCHED && in_place && all_stand -> overtaken++; assert(overtaken <= BOUND)
      :: else
      fi;
      do
      :: level == SMALLEST -> break
      :: else ->
        value = name(own(level), 0);
        level++;
        if
        :: level < SMALLEST -> status[own(level)] = given + value
        :: else
        fi
      od
    }
  :: else ->
    do
    :: level == SMALLEST -> break
    :: else ->
      atomic {
        level++;
        if
        :: level < SMALLEST && is_of_watched(queues[level + 1]) -> stands[level + 1]--
        :: else
        fi
      }
#if MUTANT != 6 /* a thread that gives up above does not pass on below */
      pass(queues[level], own(level), first)
#endif
    od
  fi
}

inline release() {
  heads[level] = own(level);
  do
  :: level == 0 ->
    pass(0, heads[0], first);
    break
  :: else ->
#if MUTANT != 7 /* uses its own node above, like the paper's listing */
    above = node_of(value);
#else
    above = own(level - 1);
#endif
    if
    :: passes_of(value) < PASSES && next[heads[level]] != 0 ->
      pass(queues[level], heads[level], name(above, passes_of(value) + counted));
      if
      :: passed -> break
      :: else /* all threads that waited here have left */
      fi
    :: passes_of(value) >= PASSES || next[heads[level]] == 0 -> later[level] = true
    fi;
    atomic {
      if
      :: is_of_watched(queues[level]) -> stands[level]--
      :: else
      fi;
      level--;
      heads[level] = above;
      value = (level == 0 -> 0 : status[above] - given);
      above = 0
    }
  od;
  do
  :: level == SMALLEST -> break
  :: else ->
    level++;
    if
    :: later[level] -> pass(queues[level], heads[level], first)
    :: else
    fi
  od
}

proctype client(byte me) {
  QUEUE_VARIABLES;
  bool tries;
  byte level, above;
  byte queues[LEVELS]; /* of its elements */
  byte heads[LEVELS];
  bool later[LEVELS];
#if LEVELS > 1
  queues[1] = queue1(me);
#endif
#if LEVELS > 2
  queues[2] = queue2(me);
#endif
  do
  :: true ->
    if
    :: true /* lock */
    :: (LEAVE >> me) & 1 -> patient = false /* try_lock_until */
    :: (LEAVE >> me) & 1 -> tries = true    /* try_lock */
    fi;
    acquire();
    if
    :: head ->
      holding = false;
      release()
    :: else
    fi;
    atomic { /* reset, so that equal states compare equal */
      if
      :: me == WATCHED -> in_place = false; overtaken = 0
      :: else
      fi;
      head = false;
      passed = false;
      patient = true;
      tries = false;
      above = 0;
      value = 0;
      level = 0;
      for (level : 0 .. SMALLEST) {
        heads[level] = 0;
        later[level] = false
      }
      level = 0
    }
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
