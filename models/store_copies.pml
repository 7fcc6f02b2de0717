/* src/far/store: one item. READERS ranks read it and keep copies, WRITERS ranks change it, each OPS
 * times. Messages have no order.
 *
 * Checked: what README.md says.
 */

#ifndef MUTANT
#define MUTANT 0
#endif
#define planted(fault) (MUTANT == fault) /* searches.py names the faults */

#define NONE 255

/* The item at its home: a number that each change increments, and who has copies. */
byte value;
bool marked;   /* the mark in its entry: ranks change it by themselves where there is none */
bool recalled; /* copies are being recalled */
bool sharer[READERS];

/* Messages in flight. */
bool ask[READERS], recall[READERS], dropped[READERS];
byte answer[READERS] = NONE;
bool is_copy[READERS];

/* A rank's copy. */
byte copy[READERS] = NONE;
bool asked[READERS], spoiled[READERS];

/* What some operation has returned: no later one may return less. */
byte known;

hidden byte i;

inline learn(number) {
  if
  :: number > known -> known = number
  :: else
  fi
}

proctype reader(byte r) {
  byte ops, least, got;
  do
  :: ops < OPS ->
    atomic {
      ops++;
      least = known;
      if
      :: copy[r] != NONE -> got = copy[r]
      :: copy[r] != NONE -> /* it has made room for another item: asks again */
        copy[r] = NONE;
        got = NONE;
        asked[r] = true;
        ask[r] = true
      :: else ->
        got = NONE;
        asked[r] = true;
        ask[r] = true
      fi
    }
    if
    :: got == NONE ->
      atomic {
        answer[r] != NONE ->
        got = answer[r];
        answer[r] = NONE;
        if
        :: is_copy[r] && (!spoiled[r] || planted(1)) -> copy[r] = got
        :: else
        fi;
        asked[r] = false;
        spoiled[r] = false
      }
    :: else
    fi;
    atomic {
      assert(got >= least);
      learn(got)
    }
  :: ops == OPS -> break
  od
}

/* A reader's handler. */
proctype recalls(byte r) {
end:
  do
  :: atomic {
      recall[r] ->
      recall[r] = false;
      if
      :: copy[r] != NONE -> copy[r] = NONE
      :: copy[r] == NONE && asked[r] && !planted(2) -> spoiled[r] = true
      :: else
      fi;
      dropped[r] = true
    }
  od
}

/* The home's handler of a reader's requests. */
proctype grants(byte r) {
end:
  do
  :: atomic {
      ask[r] ->
      ask[r] = false;
      is_copy[r] = !recalled || planted(3);
      if
      :: is_copy[r] ->
        sharer[r] = true;
        marked = true
      :: else
      fi;
      answer[r] = value
    }
  od
}

proctype writer() {
  byte ops, least, made;
  do
  :: ops < OPS ->
    atomic {
      ops++;
      least = known;
      made = NONE
    }
    do
    :: atomic { /* by instructions, or by a call: there is no mark */
        !marked || planted(4) ->
        value++;
        made = value
      };
      break
    :: atomic { /* the first to find copies recalls them */
        marked && !recalled ->
        recalled = true;
        for (i : 0 .. READERS - 1) {
          recall[i] = sharer[i];
          dropped[i] = !sharer[i];
          sharer[i] = false
        }
      };
      atomic {
        planted(5) ||
        (dropped[0] && dropped[READERS - 1]) -> /* READERS is at most 2 */
        value++;
        made = value;
        marked = false;
        recalled = false
      };
      break
    od;
    atomic {
      assert(made > least);
      learn(made)
    }
  :: ops == OPS -> break
  od
}

init {
  atomic {
    for (i : 0 .. READERS - 1) {
      run reader(i);
      run recalls(i);
      run grants(i)
    }
    for (i : 1 .. WRITERS) {
      run writer()
    }
  }
}
