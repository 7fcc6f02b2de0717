/* src/far/object/: copy/access.cpp, synchronize.cpp, monitor/monitor_operations.cpp: what a thread does. Included
 * by object_region.pml. `r` is the rank of thread `t`, `f` the field that it accesses. What only this
 * thread and messages touch while it is the only one of its rank is done in one step.
 */

#define OUT      0
#define PUBLISH  1
#define COMPARE0 2 /* with the twin */
#define COMPARE1 3
#define MADE     4 /* all packets */
#define FLUSHED  5 /* when the home has acknowledged them */
#define OWN      6 /* when copies of an own region have been revoked */
#define ENTER    7
#define FORGET   8
#define ACCESS   9
#define FETCHED  10 /* when the reply has come */
#define STORED   11 /* field 0 */
#define ADMIT    12
#define TWIN     13
#define DO       14
#define LEAVE    15
#define CLOSE    16
#define GRANTED  17

#include "object_owner.pml"

/* granted_object.hpp: what a grant brings. Field 0's monitor is the region's own. `asks`: in the
 * request; `usable`: nothing has begun since that makes it unusable; `before`: the other thread of
 * the rank has not refreshed since.
 */
bool asks[THREADS], usable[THREADS], before[THREADS];
bool untracked[THREADS];
byte content[THREADS * FIELDS];

#define other(t) ((t) == THREADS - 1 -> EXTRA : THREADS - 1)

inline forget_untracked(t) {
  untracked[t] = false;
  content[at(t, 0)] = 0;
  content[at(t, 1)] = 0
}

/* A fetch or a flush of rank r's copy begins. */
inline spoil(r) {
  if
  :: !planted(38) ->
    usable[r] = false;
    forget_untracked(r);
    if
    :: shared(r) -> usable[THREADS - 1] = false; forget_untracked(THREADS - 1)
    :: else
    fi
  :: else
  fi
}

/* With the grant of a monitor. */
inline grant_untracked() {
  if
  :: asks[t] && (owner == HOME || planted(40)) && (!(user[r] && user_kept[r]) || planted(39)) ->
    user[r] = false;
    user_kept[r] = false;
    current[r] = false;
    if
    :: usable[t] ->
      untracked[t] = true;
      content[at(t, 0)] = memory[0];
      content[at(t, 1)] = memory[1]
    :: else
    fi
  :: else
  fi;
  asks[t] = false;
  usable[t] = false
}

/* Whoever enters next finds no stale copy that is kept. */
inline check_kept(f) {
  for (g : 1 .. RANKS - 1) {
    assert(monitor[f] != t + 1 || !kept[g] || copy[at(g, f)] == latest[f])
  }
}

/* Once a thread has seen a value of a field, it sees no older one. */
inline saw() {
  if
  :: f == 0 && PEEKS -> assert(last_seen[t] <= value); last_seen[t] = value
  :: else
  fi
}

inline leave() {
  monitor[f] = (monitor[f] == t + 1 -> NONE : monitor[f]); /* the home may have left it */
  forget_untracked(t);
  before[t] = false;
  drain(t);
  phase[t] = OUT;
  then = 0;
  f = 0;
  writes = false
}

/* Fields are read and written inside their monitor, unless a thread peeks. */
#define value_here \
  (buffered[t] == f + 1 -> latest[f] : (r != HOME -> copy[at(r, f)] : memory[f]))

/* The access. A reader leaves in the same step: others only enter later if it takes longer. */
inline do_access() {
  value = value_here;
  assert(peeks || value == latest[f]);
  saw();
  if
  :: writes ->
    latest[f]++;
    value = latest[f];
    saw();
    if
    :: r != HOME && !by_owner[t] -> copy[at(r, f)] = value
    :: else -> buffered[t] = f + 1
    fi;
    phase[t] = PUBLISH;
    then = (ends -> CLOSE : LEAVE);
    if
    :: ends && !planted(24) -> drain(t) /* core::close: a full fence */
    :: else
    fi
  :: !writes && peeks -> peeks = false; phase[t] = OUT
  :: else -> leave()
  fi
}

inline refresh() {
  recent[t] = false;
  if
  :: shared(r) -> before[other(t)] = false
  :: else
  fi;
  phase[t] = (listed[t] -> FORGET : (r == HOME && !writes && !MOVES -> DO : ACCESS));
  if
  :: told_back[t] && !planted(35) -> phase[t] = PUBLISH; then = FORGET
  :: else
  fi
}

inline forget_listed() {
  if
  :: !kept[r] && may_read[t] && !planted(18) -> give_up(r, t)
  :: else
  fi;
  listed[t] = false;
  phase[t] = ACCESS
}

/* ends: the thread does not leave, but ends; who joins it enters next. */
inline begin(field, write) {
  f = field;
  writes = write;
  then = ENTER;
  phase[t] = (r == HOME -> PUBLISH : ENTER); /* else it has published when it left */
  if
  :: r != HOME && f == 0 && !kept[r] && busy[r] == NONE ->
    asks[t] = true;
    usable[t] = true;
    before[t] = shared(r)
  :: true /* the object is too large */
  fi;
  if
  :: planted(19) && r != HOME -> refresh(); forget_listed(); phase[t] = ENTER
  :: else
  fi;
  if
  :: can(ENDS) && write && ops == 0 -> ends = true
  :: true
  fi
}

/* The home's thread has read has_seen. */
inline publish_own() {
  seen[t] = false;
  own_writer[t] = false;
  drain(t);
  if
  :: !planted(10) -> changed(HOME)
  :: else
  fi;
  own_waits[t] = (revoking > 0 && !planted(23));
  phase[t] = OWN
}

inline begin_flush() {
  spoil(r);
  busy[r] = FLUSH;
  was_revoked[r] = false;
  may_keep[r] = true;
  was_recalled[r] = false;
  drain(t);
  by_owner[t] = false;
  told_back[t] = false;
  may_write[t] = false;
  flushes[t] = true;
  phase[t] = COMPARE0
}

inline compare1() {
  if
  :: copy[at(r, 1)] != twin[at(r, 1)] ->
    take_change(r, 1);
    if
    :: open == 1 -> both[r] = true
    :: else -> packets[r]++; open = 2
    fi
  :: else
  fi;
  phase[t] = MADE
}

inline end_packets() {
  all_made[r] = true;
  leaves[r] = (then == LEAVE && open > 0 && (packets[r] == 1 || planted(37)) -> f + 1 : NONE);
  if
  :: open > 0 && planted(25) -> packet[at(r, open - 1)] = SENT; open = 0; changed(r)
  :: open > 0 && !planted(25) -> packet[at(r, open - 1)] = SENT; open = 0
  :: else
  fi;
  end_flush(r);
  phase[t] = FLUSHED
}

inline make_twin() {
  if
  :: owned[r] -> by_owner[t] = true
  :: !owned[r] && !has_twin[r] ->
    has_twin[r] = true;
    twin[at(r, 0)] = copy[at(r, 0)];
    twin[at(r, 1)] = copy[at(r, 1)]
  :: else
  fi;
  may_write[t] = true;
  phase[t] = DO
}

/* Of a copy that the thread may read. */
inline use() {
  phase[t] = (writes -> TWIN : DO);
  if
  :: writes && !shared(r) -> make_twin(); do_access()
  :: !writes && !shared(r) -> do_access()
  :: else
  fi
}

/* Sets the bit for reading. */
inline admit() {
  may_read[t] = true;
  listed[t] = (listed[t] || (!kept[r] && !planted(5)));
  use()
}

#define waits_for_copy (busy[r] != NONE && !(planted(6) && busy[r] == FLUSH))

/* What came with the grant. */
inline take_untracked() {
  if
  :: shared(r) -> recent[other(t)] = (recent[other(t)] || before[t])
  :: else
  fi;
  before[t] = false;
  reply[at(r, 0)] = content[at(t, 0)];
  reply[at(r, 1)] = content[at(t, 1)];
  store_field(r, 0);
  store_field(r, 1);
  forget_untracked(t);
  present[r] = true;
  admit()
}

inline fetch() {
  spoil(r);
  busy[r] = FETCH;
  was_revoked[r] = false;
  set_recent(r, true);
  fetching[r] = (planted(16) -> FOUND : ASKED);
  phase[t] = FETCHED
}

inline end_fetch() {
  busy[r] = NONE;
  present[r] = true;
  kept[r] = (reply_kept[r] && !was_revoked[r]);
  was_revoked[r] = false;
  reply_kept[r] = false;
  check_directory();
  fetching[r] = NONE;
  admit()
}

/* A thread of the home. */
#define has_right(t) (writes -> own_writer[t] : own_reader[t])

/* An owner's thread looks whether its rank has given the region back. */
#define has_to_flush(t) (may_write[t] && (!by_owner[t] || told_back[t]))

proctype thread(byte t; byte r) {
  byte ops = ops_of(r);
  byte f, then, open; /* the last: an open packet, + 1 */
  bool writes, peeks, ends;
  do
  :: atomic {
      phase[t] == OUT && ops > 0 ->
      ops--;
      if
      :: can(GET0) -> begin(0, false)
      :: can(GET1) -> begin(1, false)
      :: can(SET0) -> begin(0, true)
      :: can(SET1) -> begin(1, true)
      :: can(PEEK) -> peeks = true; phase[t] = (r == HOME && !MOVES -> DO : ACCESS)
      fi
    }
  :: d_step { /* core::close */
      phase[t] == OUT && (ops == 0 || can(ENDS)) ->
      ops = 0;
      phase[t] = PUBLISH;
      then = CLOSE
    }
    /* publish */
  :: d_step { phase[t] == PUBLISH && r == HOME && seen[t] -> publish_own() }
  :: d_step { phase[t] == OWN && !own_waits[t] -> check_kept(f); phase[t] = then }
  :: d_step {
      phase[t] == PUBLISH && (r == HOME -> !seen[t] : !has_to_flush(t)) ->
      phase[t] = then
    }
  :: d_step { phase[t] == PUBLISH && has_to_flush(t) && busy[r] == NONE -> begin_flush() }
  :: d_step {
      phase[t] == PUBLISH && may_write[t] && busy[r] != NONE && planted(7) ->
      may_write[t] = false;
      phase[t] = then
    }
  :: atomic {
      phase[t] == COMPARE0 ->
      if
      :: copy[at(r, 0)] != twin[at(r, 0)] ->
        take_change(r, 0);
        packets[r]++;
        if
        :: open = 1
        :: packet[at(r, 0)] = SENT /* it is full */
        fi
      :: else
      fi;
      phase[t] = COMPARE1;
      if
      :: !shared(r) -> d_step { compare1(); end_packets() }
      :: else
      fi
    }
  :: d_step { phase[t] == COMPARE1 -> compare1() }
  :: d_step { phase[t] == MADE -> end_packets() }
  :: d_step {
      phase[t] == FLUSHED && (!flushes[t] || planted(4)) ->
      check_kept(f);
      phase[t] = then;
      if
      :: then == LEAVE -> leave()
      :: else
      fi
    }
    /* enter */
  :: d_step {
      phase[t] == ENTER && r == HOME && monitor[f] != NONE && !parked[t] ->
      drain(t);
      parked[t] = true
    }
  :: d_step {
      phase[t] == ENTER && monitor[f] == NONE ->
      parked[t] = false;
      monitor[f] = t + 1;
      drain(t);
      phase[t] = GRANTED;
      grant_untracked();
      if
      :: !planted(19) && untracked[t] && shared(r) /* other threads may come before */
      :: !planted(19) && !(untracked[t] && shared(r)) -> refresh()
      :: else -> phase[t] = ACCESS
      fi
    }
  :: d_step { phase[t] == GRANTED -> refresh() }
  :: d_step { phase[t] == FORGET -> forget_listed() }
    /* read and write */
  :: d_step {
      phase[t] == ACCESS && r == HOME && (owner == HOME || has_right(t)) ->
      own_reader[t] = MOVES;
      if
      :: writes && !own_writer[t] ->
        own_writer[t] = true;
        drain(t);
        seen[t] = has_copies
      :: else
      fi;
      phase[t] = DO
    }
  :: d_step {
      phase[t] == ACCESS && r == HOME && owner != HOME && !has_right(t) && recall == NONE ->
      start_recall()
    }
  :: d_step { phase[t] == ACCESS && r != HOME && may_read[t] && !(writes && may_write[t]) -> use() }
  :: d_step { phase[t] == ACCESS && r != HOME && writes && may_write[t] -> phase[t] = DO }
  :: d_step {
      phase[t] == ACCESS && r != HOME && !may_read[t] && !waits_for_copy ->
      if
      :: present[r] && (kept[r] || recent[t] || planted(26)) -> admit()
      :: !(present[r] && (kept[r] || recent[t] || planted(26))) && untracked[t] -> take_untracked()
      :: !(present[r] && (kept[r] || recent[t] || planted(26))) && !untracked[t] -> fetch()
      fi
    }
  :: d_step {
      phase[t] == FETCHED && fetching[r] == REPLIED ->
      store_field(r, 0);
      phase[t] = STORED;
      if
      :: !shared(r) -> store_field(r, 1); end_fetch()
      :: else
      fi
    }
  :: d_step { phase[t] == STORED -> store_field(r, 1); phase[t] = ADMIT }
  :: d_step { phase[t] == ADMIT -> end_fetch() }
  :: d_step { phase[t] == TWIN && busy[r] == NONE -> make_twin() }
  :: d_step { phase[t] == DO -> do_access() }
  :: d_step { phase[t] == LEAVE -> leave() }
  :: atomic {
      phase[t] == CLOSE ->
      d_step {
        monitor[f] = (ends -> NONE : monitor[f]);
        f = 0;
        drain(t);
        may_read[t] = false;
        may_write[t] = false;
        by_owner[t] = false;
        told_back[t] = false;
        own_reader[t] = false;
        if
        :: r != HOME && has_twin[r] && !writers(r) && !owned[r] && busy[r] == NONE -> forget_twin(r)
        :: else
        fi;
        listed[t] = false;
        recent[t] = false;
        own_writer[t] = false;
        seen[t] = false;
        last_seen[t] = 0;
        forget_untracked(t);
        asks[t] = false;
        usable[t] = false;
        before[t] = false;
        writes = false;
        ends = false;
        then = 0;
        ended++
      };
      break
    }
  od
}
