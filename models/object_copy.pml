/* src/far/object/: copy/copy_table.hpp, part.cpp, heap/words.cpp: a rank's copy, and what its threads
 * have of it. Included by object_region.pml. Each inline is part of a step under the rank's mutex, but those of
 * single fields.
 */

#define FETCH 1
#define FLUSH 2

bool present[RANKS], kept[RANKS], was_revoked[RANKS];
byte busy[RANKS];
byte copy[RANKS * FIELDS], twin[RANKS * FIELDS];
bool has_twin[RANKS];

/* A flush: packets that are not acknowledged; whether all are made, whether there were any, and
 * what the home has said of them so far.
 */
byte packets[RANKS];
bool all_made[RANKS], has_changed[RANKS], may_keep[RANKS];
bool flushes[THREADS]; /* a thread's flush is not over */

/* A thread's bits, and lists. `recent`: copy::fetched > thread_record::acquired. */
bool may_read[THREADS], may_write[THREADS], listed[THREADS], recent[THREADS];

#define shared(r)     (EXTRA == (r))
#define readers(r)    (may_read[r] || (shared(r) && may_read[THREADS - 1]))
#define writers(r)    (may_write[r] || (shared(r) && may_write[THREADS - 1]))
#define is_in_use(r)  (readers(r) || writers(r) || busy[r] != NONE)
#define is_idle(t)    (phase[t] == OUT || phase[t] == ENTER)
#define can_shed(t)   (may_read[t] && is_idle(t) && !told_back[t])
#define sheds(r)      (can_shed(r) || (shared(r) && can_shed(THREADS - 1)))

inline set_recent(r, value) {
  recent[r] = value;
  if
  :: shared(r) -> recent[THREADS - 1] = value
  :: else
  fi
}

inline make_listed(r) {
  if
  :: kept[r] ->
    kept[r] = false;
    listed[r] = (listed[r] || may_read[r]);
    if
    :: shared(r) -> listed[THREADS - 1] = (listed[THREADS - 1] || may_read[THREADS - 1])
    :: else
    fi
  :: else
  fi
}

inline revoke_received(r) {
  assert(!owned[r]);
  if
  :: !planted(17) -> make_listed(r)
  :: else
  fi;
  was_revoked[r] = (busy[r] != NONE && !planted(11)) /* else it does not matter */
}

inline forget_data(r) {
  copy[at(r, 0)] = 0;
  copy[at(r, 1)] = 0
}

inline forget_twin(r) {
  has_twin[r] = false;
  twin[at(r, 0)] = 0;
  twin[at(r, 1)] = 0
}

inline give_up(r, t) {
  if
  :: by_owner[t] && owned[r] -> may_write[t] = false; by_owner[t] = false
  :: else
  fi;
  may_read[t] = false;
  listed[t] = false;
  if
  :: (!is_in_use(r) || (planted(15) && !readers(r))) && !kept[r] ->
    if
    :: !planted(20) -> set_recent(r, false)
    :: else
    fi;
    left[r] = DROPPED
  :: else
  fi
}

inline evict(r) {
  assert(!has_twin[r]);
  present[r] = false;
  kept[r] = false;
  set_recent(r, false);
  forget_data(r);
  left[r] = DROPPED
}

/* A field of a fetched region. */
inline store_field(r, f) {
  if
  :: has_twin[r] ->
    if
    :: copy[at(r, f)] == twin[at(r, f)] || planted(3) -> copy[at(r, f)] = reply[at(r, f)]
    :: else
    fi;
    twin[at(r, f)] = reply[at(r, f)]
  :: else -> copy[at(r, f)] = reply[at(r, f)]
  fi;
  reply[at(r, f)] = 0
}

/* A field that differs from its twin goes to the packet. */
inline take_change(r, f) {
  change[at(r, f)] = copy[at(r, f)];
  has_changed[r] = true;
  twin[at(r, f)] = (planted(2) -> twin[at(r, f)] : copy[at(r, f)])
}

inline end_flush(r) {
  if
  :: packets[r] == 0 && all_made[r] ->
    busy[r] = NONE;
    if
    :: !may_keep[r] || was_revoked[r] -> make_listed(r)
    :: may_keep[r] && !was_revoked[r] && has_changed[r] ->
      kept[r] = true;
      owned[r] = (granted[r] && !was_recalled[r] && !writers(r))
    :: else
    fi;
    granted[r] = false;
    was_recalled[r] = false;
    if
    :: (!writers(r) && !owned[r]) || planted(22) -> forget_twin(r)
    :: else
    fi;
    all_made[r] = false;
    has_changed[r] = false;
    may_keep[r] = false;
    was_revoked[r] = false;
    flushes[r] = false;
    if
    :: shared(r) -> flushes[THREADS - 1] = false
    :: else
    fi
  :: else
  fi
}

inline acknowledged(r, f) {
  may_keep[r] = (may_keep[r] && verdict[at(r, f)]);
  granted[r] = (granted[r] || grant[at(r, f)]);
  grant[at(r, f)] = false;
  packets[r]--;
  end_flush(r);
  check_directory();
  verdict[at(r, f)] = false;
  packet[at(r, f)] = NONE
}
