/* src/far/object/monitor/: inflated_monitor.hpp, monitor_table.cpp, enter.cpp: a monitor that is
 * inflated while threads enter it, leave it, and wait in it.
 *
 *   ENTERS  how often each thread that only enters does so; there are two
 *
 * One more thread waits until a flag is set, another one sets it and notifies, and a third one waits
 * until a deadline, which may pass at any time, unless it is notified. The queue is that of
 * mcs_queue.pml, as one step each: its own model shows that it is one.
 *
 * Checked: what README.md says.
 */

#ifndef MUTANT
#define MUTANT 0
#endif
#define planted(fault) (MUTANT == fault) /* searches.py names the faults */

#define THREADS 5
#define HOLDER  THREADS /* inflated_monitor::holder */

/* monitor_word */
#define FREE     0
#define HELD     1
#define INFLATED 2
byte word;
chan queue = [THREADS + 1] of { byte };
bool listed[THREADS], told[THREADS]; /* in the list of those who wait; notified */

bool holding, flag;
byte done;

/* The home, under its mutex, for who asks it. `entered`: the monitor is the thread's. */
inline ask() {
  atomic {
    if
    :: word == FREE -> word = HELD; entered = true
    :: word == HELD || (planted(3) && word != INFLATED) ->
      word = INFLATED;
      queue!HOLDER
    :: word == INFLATED
    fi
  }
}

#define is_head(node) queue?[eval(node)]

inline enter_queue() {
  queue!me;
  is_head(me);
  by_node = true
}

inline enter() {
  entered = false;
  by_node = false;
  do
  :: entered || by_node -> break
  :: else ->
    if
    :: atomic { word == FREE -> word = HELD; entered = true }
    :: word == HELD -> ask()
    :: word == INFLATED -> enter_queue()
    fi
  od;
  atomic {
    assert(!holding);
    holding = true
  }
}

inline pass() {
  if
  :: by_node -> queue?eval(me)
  :: else -> queue?eval(HOLDER)
  fi
}

inline leave() {
  holding = false;
  if
  :: by_node -> pass()
  :: else ->
    if
    :: atomic { word == HELD || planted(1) -> word = FREE }
    :: word == INFLATED && !planted(1) -> pass()
    fi
  fi
}

/* Until it is notified, or with a deadline that may have passed. */
inline wait_in(may_expire) {
  holding = false;
  if
  :: word == HELD -> entered = false; ask() /* inflates it: the thread is in it */
  :: else
  fi;
  if
  :: planted(2) -> pass(); listed[me] = true
  :: else -> listed[me] = true; pass()
  fi;
  if
  :: told[me]
  :: may_expire
  fi;
  enter_queue();
  atomic {
    assert(!holding);
    holding = true;
    listed[me] = false;
    told[me] = false
  }
}

/* All who wait. */
inline notify() {
  atomic {
    byte t;
    for (t : 0 .. THREADS - 1) {
      if
      :: listed[t] -> listed[t] = false; told[t] = true
      :: else
      fi
    }
  }
}

proctype client(byte me) {
  byte left = ENTERS;
  bool entered, by_node;
  do
  :: left > 0 -> enter(); leave(); left--
  :: else -> break
  od;
  done++
}

proctype waiter(byte me; bool may_expire) {
  bool entered, by_node;
  enter();
  do
  :: !flag && !(may_expire && told[me]) -> wait_in(may_expire); if :: may_expire -> break :: else fi
  :: else -> break
  od;
  leave();
  done++
}

proctype notifier(byte me) {
  bool entered, by_node;
  enter();
  flag = true;
  notify();
  leave();
  done++
}

init {
  atomic {
    run client(0);
    run client(1);
    run waiter(2, false);
    run waiter(3, true);
    run notifier(4)
  }
  done == THREADS;
  assert(!holding && empty(queue) && word != HELD)
}
