/* src/far/sync/topology_lock.cpp: threads that lock and unlock for ever, or end when they like.
 *
 *   THREADS       how many
 *   LEVELS        1 to 3
 *   SIZE1, SIZE2  of how many threads the elements of level 1 are, and within them those of
 *                 level 2; the last ones have what is left
 *   PASSES        most_passes
 *   LEAVE         a bit for each thread: it may give up, and try
 *   WATCHED       the thread that is counted for
 *   BOUND         who waits in its place, without giving up, is overtaken by no more acquisitions
 *                 (README.md has the formula)
 *
 * Checked: one holder at a time; nobody waits for ever for what does not come (no invalid end);
 * BOUND.
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

/* The queues of a thread's elements, and its node at a level. Threads are named 0 to THREADS - 1. */
#define queue1(thread) (1 + (thread) / SIZE1)
#define queue2(thread) (1 + COUNT1 + (thread) / SIZE1 * COUNT2 + (thread) % SIZE1 / SIZE2)
#define own(level)     ((level) * THREADS + me + 1)

/* Ghosts. Acquisitions by others count while WATCHED is in its place in the queue of its smallest
 * element, and each of its elements stands, by the node of one of its threads, in the queue of the
 * element above. It does not while that thread is on its way there; it alone decides how long.
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

/* What goes with the headship: a node, and how often it has been passed on. */
#define name(node, passes) ((node) + (passes) * (NODES + 1))
#define node_of(name)      ((name) % (NODES + 1))
#define passes_of(name)    ((name) / (NODES + 1))
#if MUTANT != 8 /* passes on as long as anybody waits */
#define counted 1
#else
#define counted 0
#endif

/* The thread holds the lock, or has given up: `head` says which. */
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
  :: atomic { /* words of the holder, until it passes on */
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
#if MUTANT != 6 /* who gives up above does not pass on below */
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
#if MUTANT != 7 /* looks at its own node above, as the paper's listing does */
    above = node_of(value);
#else
    above = own(level - 1);
#endif
    if
    :: passes_of(value) < PASSES && next[heads[level]] != 0 ->
      pass(queues[level], heads[level], name(above, passes_of(value) + counted));
      if
      :: passed -> break
      :: else /* all who waited here have left */
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
    atomic { /* forgotten, so that equal states are seen to be equal */
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
