/* src/far/sync/mcs_queue.hpp and mcs_queue.cpp, step by step: a queue of threads that may give up.
 *
 * Included by the models of locks, which must define before:
 *   NODES, QUEUES       the numbers of nodes and queues; nodes are named 1 to NODES, 0 is none
 *   place_taken()       ghost: this thread enters, or has returned to its place
 *   gives_up()          ghost: this thread gives up
 *   place_left()        ghost: this thread has left its place
 *   MUTANT              a fault that the check must find, or 0
 *
 * An operation on a word that others may read or change meanwhile is one step. Its atomic block
 * also contains ghosts, the thread's own variables, and operations on words that no other thread
 * reads then: a node that is in no queue, and the status of the head. The assertions here check
 * that no other thread does. A failed check before another attempt is not a step.
 */

#define idle    0
#define waiting 1
#define left    2
#define leaving 3
#define given   4 /* + a value */
#define first   0

byte tail[QUEUES];
byte next[NODES + 1];
byte status[NODES + 1];

/* Variables of each process. `head`: whether enter has made the thread the head, with `value`;
 * `passed`: the result of pass; `patient`: whether the thread waits without a deadline.
 */
#define QUEUE_VARIABLES  \
  bool head, passed;     \
  bool patient = true;   \
  byte value, before, node

inline await_turn(own) {
  if
  :: atomic { status[own] >= given -> head = true; value = status[own] - given }
#if MUTANT == 2 /* gives up by a store */
  :: atomic { !patient -> status[own] = left; gives_up(); place_left() }
#endif
  :: atomic { !patient && status[own] == waiting -> status[own] = left; gives_up(); place_left() }
  fi
}

inline enter(queue, own) {
  if
  :: atomic { /* the exchange of the tail */
      status[own] == idle ->
      next[own] = 0;
      status[own] = waiting;
      before = tail[queue];
      tail[queue] = own;
      place_taken();
      if
      :: before == 0 -> status[own] = given + first
      :: else
      fi
    }
    if
    :: atomic { before != 0 -> assert(status[before] != idle); next[before] = own; before = 0 }
    :: before == 0
    fi;
    await_turn(own)
  :: atomic { status[own] == left -> status[own] = waiting; place_taken() } /* comes_back */
    await_turn(own)
#if MUTANT == 1 /* a thread that is being removed does not wait for that */
  :: atomic { status[own] == leaving -> status[own] = waiting; place_taken() }
    await_turn(own)
#endif
  :: atomic { !patient && (status[own] == leaving || status[own] >= given) -> gives_up() } /* is_let_go */
  fi
}

inline try_enter(queue, own) {
  if
  :: status[own] != idle
  :: status[own] == idle ->
    if
    :: tail[queue] != 0
    :: atomic {
        tail[queue] == 0 ->
        next[own] = 0;
        tail[queue] = own;
        status[own] = given + first;
        place_taken();
        head = true;
        value = first
      }
    fi
  fi
}

inline pass(queue, from, gift) {
  node = from;
  passed = false;
  do
  :: atomic { /* remove_or_next: it is the last */
      tail[queue] == node && next[node] == 0 ->
      assert(status[node] >= leaving);
      tail[queue] = 0
    }
    if
    :: node != from -> status[node] = idle
    :: node == from
    fi;
    break
#if MUTANT == 3 /* removes the node from the tail by a store */
  :: next[node] == 0 -> tail[queue] = 0; break
#endif
  :: atomic { /* remove_or_next: there is a next */
      next[node] != 0 ->
      assert(status[node] >= leaving);
      before = next[node]
    }
    if
    :: node != from -> status[node] = idle
    :: node == from
    fi;
    if /* give */
#if MUTANT == 4 /* by a store */
    :: atomic { status[before] = given + gift; before = 0; passed = true }; break
#endif
#if MUTANT == 5 /* and then to the next one, too */
    :: atomic {
        status[before] == waiting ->
        status[before] = given + gift;
        node = before;
        before = 0;
        passed = true
      }
#else
    :: atomic {
        status[before] == waiting ->
        status[before] = given + gift;
        before = 0;
        passed = true
      }
      break
#endif
    :: atomic { status[before] == left -> status[before] = leaving; node = before; before = 0 }
    fi
  od;
  atomic { status[from] = idle; node = 0 }
}
