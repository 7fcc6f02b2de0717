/* src/far/array/cached: three ranks access one chunk, whose home is rank 0.
 *
 *   VERBS0, VERBS1, VERBS2  what the threads of each rank may do: a sum of the numbers below
 *   OPS0, OPS1, OPS2        max operations of each thread
 *   EVICTS                  how often each rank may EVICT and WAKE, if its verbs have them
 *   EXTRA                   the rank of a fourth thread, or 3: there is none
 *
 * Checked: what README.md says.
 */

#ifndef MUTANT
#define MUTANT 0
#endif
#define planted(fault) (MUTANT == fault) /* searches.py names the faults */

#define GET           1
#define SET           2
#define APPLY_PLUS    4
#define APPLY_TIMES   8
#define PIN_READ      16
#define PIN_WRITE     32
#define PIN_PLUS      64
#define EVICT         128
#define PREFETCH      256
#define DIRECTLY      512 /* accesses that miss may be made at the home */
#define PREFETCH_PLUS 1024
#define REGION        2048
#define WAKE          4096

#define HOME    0
#define RANKS   3
#if EXTRA < RANKS
#define THREADS 4
#else
#define THREADS 3
#endif
#define rank_of(t)  ((t) < RANKS -> (t) : EXTRA)
#define verbs_of(r) ((r) == 0 -> VERBS0 : ((r) == 1 -> VERBS1 : VERBS2))
#define can(verb)   ((verbs_of(r) / verb) % 2)
#define ops_of(r)   ((r) == 0 -> OPS0 : ((r) == 1 -> OPS1 : OPS2))

/* Rights. An operator stands for right::operate and itself. */
#define NONE   0
#define READ   1
#define WRITE  2
#define PLUS   3
#define TIMES  4
#define DIRECT 5
#define operator(right) ((right) == PLUS || (right) == TIMES)
#define kind(right)     ((right) == TIMES -> PLUS : (right)) /* as in messages: without operator */

/* Where a recall is. */
#define NO_RECALL 0
#define SENT      1
#define HELD      2
#define ANSWERED  3 /* of the home: continues is in flight */
#define TAKEN     4

/* Messages in flight. They have no order. There is at most one grant and one recall for a rank. The
 * number and the copy of a request for a right stand in the line, which requests one right at a
 * time.
 */
chan wants[RANKS] = [4] of { byte };
byte grant[RANKS], recall[RANKS], from[RANKS], keep[RANKS], answer[RANKS], answer_op[RANKS];
byte names[RANKS]; /* by a recall: the request that brought the right */
bool with_data[RANKS], sent[RANKS], evicts[RANKS], refused[RANKS], dropped[RANKS];

byte ended;

/* Ghosts: the number of operands that are applied and not merged, and their operator. */
byte unmerged, unmerged_op;
bool unused[RANKS]; /* granted to a thread that waits, and no access since */

hidden byte w, h, g, sum, kept, asker, wish;
hidden byte inside, waited;

#include "cached_line.pml"
#include "cached_home.pml"

/* An access by rank r to the elements at `place`. */
inline access_value(who, place, right) {
  check_exclusion(who);
  assert(includes(has[who], right) || has[who] == DIRECT);
  assert(unmerged == 0);
  assert(current[place]); /* a chunk has other elements, too */
  if
  :: right == READ
  :: else -> /* nobody reads the place for a message, either */
    assert(place != HOME || (!with_data[1] && !with_data[2]));
    for (g : 0 .. RANKS - 1) {
      assert(recall[g] != ANSWERED || from[g] != WRITE || !has_data(g));
      current[g] = false;
      sent[g] = false
    }
    current[place] = true
  fi
}

/* What others have is compatible with the right under which rank r makes an access. */
inline check_exclusion(r) {
  for (g : 0 .. RANKS - 1) {
    assert(g == r || has[g] == NONE || (has[g] == has[r] && has[r] != WRITE))
  }
}

/* An operand of the thread is combined in its line. */
inline combine(t, r, op) {
  check_exclusion(r);
  assert(has[r] == op);
  assert(unmerged == 0 || unmerged_op == op);
  operands[t]++;
  unmerged++;
  unmerged_op = op
}

inline merge(op, count) {
  assert(unmerged >= count && (count == 0 || (unmerged_op == op && current[HOME])));
  unmerged = unmerged - count;
  unmerged_op = (unmerged == 0 -> NONE : unmerged_op)
}

#include "cached_thread.pml"

#define is_quiet \
  (empty(wants[0]) && empty(wants[1]) && empty(wants[2]) && grant[1] + grant[2] == NONE && \
   recall[0] + recall[1] + recall[2] == NO_RECALL)

inline arrive(r, right) {
  wants[r]??right;
  assert(nfull(requests));
  requests!r, right
}

/* Handles what is sent to rank r and what it sends to the home. */
proctype lane(byte r) {
  byte what, evictions, wakes;
  do
  :: atomic { /* a want has arrived, or the answer's data have been taken, or need not be */
      if
      :: wants[r]??[NONE]   -> arrive(r, NONE)
      :: wants[r]??[READ]   -> arrive(r, READ)
      :: wants[r]??[WRITE]  -> arrive(r, WRITE)
      :: wants[r]??[PLUS]   -> arrive(r, PLUS)
      :: wants[r]??[TIMES]  -> arrive(r, TIMES)
      :: wants[r]??[DIRECT] -> arrive(r, DIRECT)
      :: recall[r] == TAKEN || (recall[r] == ANSWERED && !has_data(r)) -> answered(r)
      fi;
      d_step {
        if
        :: awaited == 0 -> serve()
        :: else
        fi
      }
    }
  :: d_step {
      grant[r] != NONE ->
      current[r] = (with_data[r] -> sent[r] : current[r]);
      assert(!operator(grant[r]) || operator(wanted[r]));
      what = (operator(grant[r]) -> wanted[r] : grant[r]);
      grant[r] = NONE;
      with_data[r] = false;
      sent[r] = false;
      assert(!includes(has[r], what)); /* no right is requested twice */
      granted(r, what);
      what = NONE
    }
  :: d_step { recall[r] == SENT -> recalled(r) }
  :: d_step { recall[r] == ANSWERED && has_data(r) -> recall[r] = TAKEN; returned(r) }
  :: d_step {
      can(EVICT) && evictions < EVICTS && has_slot(r) && is_idle(r) ->
      evict(r);
      evictions++
    }
  :: d_step { /* something else has changed at the rank */
      can(WAKE) && wakes < EVICTS && waits(r) ->
      wake(r);
      wakes++
    }
  :: atomic { ended == THREADS + 1 && is_quiet -> assert(empty(requests) && unmerged == 0); break }
  od
}

init {
  atomic {
    has[HOME] = WRITE;
    current[HOME] = true;
    byte i;
    for (i : 0 .. RANKS - 1) {
      run lane(i)
    }
    for (i : 0 .. THREADS - 1) {
      run thread(i, rank_of(i))
    }
  }
}
