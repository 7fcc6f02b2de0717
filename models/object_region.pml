/* src/far/object: three ranks access one region of two fields, whose home is rank 0.
 *
 *   VERBS0, VERBS1, VERBS2  what the threads of each rank may do: a sum of the numbers below
 *   OPS0, OPS1, OPS2        max operations of each thread
 *   DROPS                   how often each rank may EVICT and SHED, if its verbs have them
 *   EXTRA                   the rank of a fourth thread, or 3: there is none
 *   MOVES                   1: the region may migrate
 *
 * Checked: what README.md says.
 */

#ifndef MUTANT
#define MUTANT 0
#endif
#define planted(fault) (MUTANT == fault) /* searches.py names the faults */

#define GET0  1
#define GET1  2
#define SET0  4
#define SET1  8
#define PEEK  16 /* reads field 0 outside its monitor */
#define EVICT 32
#define SHED  64
#define ENDS  128 /* no operation: a thread may end instead of leaving after its last write */
#define PEEKS (((VERBS0) | (VERBS1) | (VERBS2)) & PEEK)

#define HOME   0
#define RANKS  3
#define FIELDS 2
#if EXTRA < RANKS
#define THREADS 4
#else
#define THREADS 3
#endif
#define rank_of(t)  ((t) < RANKS -> (t) : EXTRA)
#define verbs_of(r) ((r) == 0 -> VERBS0 : ((r) == 1 -> VERBS1 : VERBS2))
#define can(verb)   ((verbs_of(r) / verb) % 2)
#define ops_of(r)   ((r) == 0 -> OPS0 : ((r) == 1 -> OPS1 : OPS2))
#define at(r, f)    ((r) * FIELDS + (f))

#define NONE 0

/* Messages in flight, and steps of their handlers. They have no order. */
#define ASKED   1 /* a fetch */
#define TOLD    2 /* a thread of the home has been told; no fence yet */
#define FOUND   3
#define LOADED  4 /* field 0 */
#define REPLIED 5
byte fetching[RANKS], reply[RANKS * FIELDS];
bool reply_kept[RANKS];

/* Packet f begins with field f. If `both`, packet 0 has both fields. */
#define SENT     1
#define HALF     2
#define APPLIED  3
#define WAITS    4 /* for answers to revocations */
#define ANSWERED 5
byte packet[RANKS * FIELDS], change[RANKS * FIELDS];
bool both[RANKS], verdict[RANKS * FIELDS];

/* That a copy has been dropped. The message names the last fetch that the home has served when it
 * is sent; LATE: it has served another since. Numbers are not needed: of two such messages in
 * flight, only the newer one could be about the home's entry.
 */
#define DROPPED 1
#define LATE    2
byte left[RANKS];

byte revocations[RANKS], answers[RANKS];

byte monitor[FIELDS]; /* of each field: who is in it, + 1 */
byte phase[THREADS];
byte ended;

/* Ghosts: the value that was written last, and, of field 0, the last one that a thread has seen. */
byte latest[FIELDS];
byte last_seen[THREADS];

hidden byte w, g, p, q, any, good, value;

#include "object_copy.pml"
#include "object_home.pml"
#include "object_thread.pml"

#define is_quiet(r) \
  (fetching[r] == NONE && packet[at(r, 0)] + packet[at(r, 1)] == NONE && left[r] == NONE && \
   revocations[r] + answers[r] == 0 && recall == NONE)

#define value_at_end(f) \
  (owner != HOME && owned[owner] -> copy[at(owner, f)] : memory[f])

/* Changes of a region that is being recalled come from its owner, and are later; or they recall it. */
#define is_held(r) ((owner == (r) && recall != NONE && !planted(32)) || is_anothers(r))
#define is_anothers(r) (owner != HOME && owner != (r) && !planted(41))

/* Handles what is sent from and to rank r. */
proctype lane(byte r) {
  byte drops, guess;
  do
  :: atomic { /* fetch_received: under the mutex */
      fetching[r] == ASKED && !is_away(r) ->
      if
      :: guess = 0
      :: guess = 1
      fi;
      d_step { fetched(r, guess); guess = 0 }
    }
  :: d_step { fetching[r] == TOLD -> heavy_fence(); fetching[r] = FOUND }
  :: d_step { fetching[r] == FOUND -> load(r, 0); fetching[r] = LOADED }
  :: d_step { fetching[r] == LOADED -> load(r, 1); fetching[r] = (planted(16) -> ASKED : REPLIED) }
  :: d_step { fetching[r] == ASKED && is_away(r) && recall == NONE -> start_recall() }
  :: d_step {
      (packet[at(r, 0)] == SENT || packet[at(r, 1)] == SENT) && is_anothers(r) && recall == NONE ->
      start_recall()
    }
  :: d_step { recall == ASKED_BACK && owner == r -> give_back(r) }
  :: d_step { recall == GIVEN_BACK && r == HOME -> given_back() }
  :: d_step { packet[at(r, 0)] == SENT && !is_held(r) -> apply(r, 0) }
  :: d_step { packet[at(r, 0)] == HALF -> apply(r, 1) }
  :: d_step { packet[at(r, 1)] == SENT && !is_held(r) -> apply(r, 1) }
  :: atomic { /* change_received: under the mutex */
      (packet[at(r, 0)] == APPLIED || packet[at(r, 1)] == APPLIED) ->
      if
      :: guess = 0
      :: guess = 3
      fi;
      if
      :: d_step { packet[at(r, 0)] == APPLIED -> register(r); finish(r, 0) }
      :: d_step { packet[at(r, 1)] == APPLIED -> register(r); finish(r, 1) }
      fi;
      guess = 0
    }
  :: d_step { packet[at(r, 0)] == ANSWERED -> acknowledged(r, 0) }
  :: d_step { packet[at(r, 1)] == ANSWERED -> acknowledged(r, 1) }
  :: d_step { revocations[r] > 0 -> revocations[r]--; revoke_received(r); answers[r]++ }
  :: atomic {
      answers[r] > 0 ->
      if /* of packets 0 and 1 */
      :: guess = 0
      :: guess = 1
      :: guess = 2
      :: guess = 3
      fi;
      d_step { answers[r]--; revoked(); guess = 0 }
    }
  :: d_step { left[r] != NONE -> left_received(r) }
  :: d_step { can(EVICT) && drops < DROPS && present[r] && !owned[r] && !is_in_use(r) ->
      evict(r);
      drops++
    }
  :: d_step { /* before a copy that is owned is evicted */
      can(EVICT) && drops < DROPS && owned[r] && recall == NONE && !is_in_use(r) && ended < THREADS ->
      start_recall();
      drops++
    }
  :: d_step { /* a thread of the home that waits, or synchronizes, forgets what it may read */
      r == HOME && own_reader[HOME] && is_idle(HOME) -> own_reader[HOME] = false
    }
  :: d_step { /* safe_point, or others take the rights of a thread that waits for a monitor */
      can(SHED) && drops < DROPS && sheds(r) ->
      w = (can_shed(r) -> r : THREADS - 1);
      give_up(r, w);
      drops++
    }
  :: d_step { buffered[r] != NONE -> drain(r) }
  :: d_step { r == EXTRA && buffered[THREADS - 1] != NONE -> drain(THREADS - 1) }
  :: atomic { /* all that threads have written is at the home */
      ended == THREADS && is_quiet(r) ->
      assert(value_at_end(0) == latest[0] && value_at_end(1) == latest[1]);
      break
    }
  od
}

init {
  atomic {
    byte i;
    for (i : 0 .. RANKS - 1) {
      run lane(i)
    }
    for (i : 0 .. THREADS - 1) {
      run thread(i, rank_of(i))
    }
  }
}
