/* src/far/object/: home/updates.cpp, home/region_directory_in_place.cpp, copy/in_place.cpp,
 * copy/update_word.hpp: three ranks keep copies of a region of two fields, which its home updates by messages, or in place.
 *
 *   OPS0, OPS1, OPS2  operations of each rank's thread: it enters a field's monitor, reads the
 *                     field, may write it, and leaves
 *   IN_PLACE          1: the home may choose to write in place; 0: by messages only
 *
 * Checked: what README.md says.
 */

#ifndef MUTANT
#define MUTANT 0
#endif
#define planted(fault) (MUTANT == fault) /* searches.py names the faults */

#define RANKS    3 /* the home is another one, without threads */
#define FIELDS   2
#define at(r, f) ((r) * FIELDS + (f))
#define to(o, w) ((o) * RANKS + (w))
#define ops_of(r) ((r) == 0 -> OPS0 : ((r) == 1 -> OPS1 : OPS2))

/* A rank's copy: copy_table.hpp. The word: update_word.hpp. */
#define CLOSED  0
#define READY   1
#define TWINNED 2
#define OPEN    3
byte copy[RANKS * FIELDS], twin[RANKS * FIELDS];
bool has_twin[RANKS], kept[RANKS], missed[RANKS];
bool fetches[RANKS], compares[RANKS];
byte word[RANKS], number[RANKS], word_number[RANKS];

/* The home. */
byte memory[FIELDS];
bool known[RANKS];        /* the copy is kept, as far as the home knows */
byte known_number[RANKS]; /* the fetch that has brought it */

/* Messages, and what the home does about them. */
bool asked[RANKS], replied[RANKS];
byte reply[RANKS * FIELDS];
bool sent[RANKS], acknowledged[RANKS], verdict[RANKS]; /* a change, of one field */
byte field[RANKS], value[RANKS];

/* The update of rank o's copy by rank w's change. */
#define NONE    0
#define MESSAGE 1
#define REFUSED 2
#define WRITE   3 /* in place; the word is not open yet */
#define PUTS    4
#define QUEUED  5 /* behind a write */
byte update[RANKS * RANKS], for_number[RANKS * RANKS];
bool spreads[RANKS]; /* a change is not acknowledged yet */
bool put_copy[RANKS], put_twin[RANKS]; /* of the one write of a copy: still to come */
byte gives_back[RANKS];

byte last[FIELDS];
bool taken[FIELDS];

#define is_current(o, w) (for_number[to(o, w)] == known_number[o])
#define is_write(o, w)   ((update[to(o, w)] == WRITE || update[to(o, w)] == PUTS) && is_current(o, w))
#define is_message(o, w) \
  ((update[to(o, w)] == MESSAGE || update[to(o, w)] == REFUSED) && is_current(o, w))
#define writes_to(o)     (is_write(o, 0) || is_write(o, 1) || is_write(o, 2))
#define messages_to(o)   (is_message(o, 0) || is_message(o, 1) || is_message(o, 2))
#define is_answered(w) (update[to(0, w)] == NONE && update[to(1, w)] == NONE && \
                        update[to(2, w)] == NONE)

/* ---- a rank ---------------------------------------------------------------------------------- */

#define can_close(r) (word[r] != OPEN)

inline offer(r) {
  if
  :: kept[r] && !fetches[r] && word[r] != OPEN ->
    word[r] = (has_twin[r] -> TWINNED : READY);
    word_number[r] = number[r]
  :: else
  fi
}

/* An update by message arrives. */
inline apply_message(o, w) {
  if
  :: for_number[to(o, w)] != number[o] -> update[to(o, w)] = REFUSED
  :: for_number[to(o, w)] == number[o] && kept[o] && !fetches[o] && !compares[o] ->
    if
    :: has_twin[o] ->
      if
      :: copy[at(o, field[w])] == twin[at(o, field[w])] -> copy[at(o, field[w])] = value[w]
      :: else
      fi;
      if
      :: !planted(5) -> twin[at(o, field[w])] = value[w]
      :: else
      fi
    :: else -> copy[at(o, field[w])] = value[w]
    fi;
    update[to(o, w)] = NONE
  :: else ->
    if
    :: !planted(6) ->
      kept[o] = false;
      missed[o] = true;
      if
      :: can_close(o) -> word[o] = CLOSED
      :: else
      fi
    :: else
    fi;
    update[to(o, w)] = REFUSED
  fi
}

inline compare(r, f) {
  atomic {
    if
    :: copy[at(r, f)] != twin[at(r, f)] ->
      assert(f == g); /* else it is another rank's change */
      twin[at(r, f)] = copy[at(r, f)];
      sent[r] = true;
      field[r] = f;
      value[r] = copy[at(r, f)]
    :: else
    fi
  }
}

inline fetch(r) {
  atomic {
    can_close(r) -> word[r] = CLOSED;
    fetches[r] = true;
    missed[r] = false;
    number[r]++;
    asked[r] = true
  };
  atomic {
    replied[r] ->
    replied[r] = false;
    copy[at(r, 0)] = reply[at(r, 0)];
    copy[at(r, 1)] = reply[at(r, 1)];
    reply[at(r, 0)] = 0;
    reply[at(r, 1)] = 0;
    fetches[r] = false;
    kept[r] = !missed[r];
    offer(r)
  }
}

proctype thread(byte r) {
  byte left = ops_of(r), g;
  do
  :: left == 0 -> break
  :: left > 0 ->
    left--;
    atomic {
      if
      :: !taken[0] -> g = 0
      :: !taken[1] -> g = 1
      fi;
      taken[g] = true
    };
    if
    :: !kept[r] -> fetch(r) /* a listed copy is forgotten */
    :: else
    fi;
    assert(copy[at(r, g)] == last[g]);
    if
    :: true
    :: true ->
      atomic {
        can_close(r) || planted(4) ->
        twin[at(r, 0)] = copy[at(r, 0)];
        twin[at(r, 1)] = copy[at(r, 1)];
        has_twin[r] = true;
        offer(r)
      };
      atomic {
        last[g]++;
        copy[at(r, g)] = last[g]
      };
      atomic {
        can_close(r) || planted(3) ->
        if
        :: word[r] != OPEN -> word[r] = CLOSED
        :: else
        fi;
        compares[r] = true
      };
      compare(r, 0);
      compare(r, 1);
      compares[r] = false;
      atomic {
        acknowledged[r] ->
        acknowledged[r] = false;
        kept[r] = kept[r] && verdict[r];
        has_twin[r] = false;
        twin[at(r, 0)] = 0;
        twin[at(r, 1)] = 0;
        offer(r)
      }
    fi;
    taken[g] = false
  od
}

/* ---- the home -------------------------------------------------------------------------------- */

/* Sends rank w's change to rank o, or lets it wait. */
inline send_update(o, w) {
  if
  :: o == w || !known[o]
  :: else ->
    for_number[to(o, w)] = known_number[o];
    if
    :: writes_to(o) -> update[to(o, w)] = QUEUED
    :: !writes_to(o) -> update[to(o, w)] = MESSAGE
    :: !writes_to(o) && !messages_to(o) && IN_PLACE -> update[to(o, w)] = WRITE
    fi
  fi
}

/* A write has ended, and another change may wait for that. */
inline send_queued(o) {
  for (k : 0 .. RANKS - 1) {
    if
    :: update[to(o, k)] == QUEUED ->
      update[to(o, k)] = NONE;
      if
      :: !planted(7) && known_number[o] == for_number[to(o, k)] -> send_update(o, k)
      :: else
      fi
    :: else
    fi
  }
}

/* A step of the update of rank o's copy. */
inline step(o, w) {
  if
  :: update[to(o, w)] == MESSAGE -> apply_message(o, w)
  :: update[to(o, w)] == REFUSED -> /* the home hears of it */
    update[to(o, w)] = NONE;
    if
    :: for_number[to(o, w)] == known_number[o] -> known[o] = false
    :: else
    fi
  :: update[to(o, w)] == WRITE -> /* the compare-and-swap */
    if
    :: (word[o] == READY || word[o] == TWINNED) && word_number[o] == for_number[to(o, w)] ->
      gives_back[o] = word[o];
      put_copy[o] = true;
      put_twin[o] = (word[o] == TWINNED && !planted(1));
      word[o] = OPEN;
      update[to(o, w)] = PUTS
    :: else -> /* a message instead, and what waits goes behind it */
      update[to(o, w)] = (known[o] && known_number[o] == for_number[to(o, w)] -> MESSAGE : NONE);
      send_queued(o)
    fi
  :: update[to(o, w)] == PUTS && put_copy[o] ->
    copy[at(o, field[w])] = value[w];
    put_copy[o] = false
  :: update[to(o, w)] == PUTS && put_twin[o] ->
    twin[at(o, field[w])] = value[w];
    put_twin[o] = false
  :: update[to(o, w)] == PUTS && !put_copy[o] && !put_twin[o] -> /* the signal */
    word[o] = gives_back[o];
    gives_back[o] = 0;
    update[to(o, w)] = NONE;
    send_queued(o)
  fi
}

#define moves(o, w)   (update[to(o, w)] != NONE && update[to(o, w)] != QUEUED)
#define lacks(o, w)   (o != w && kept[o] && !fetches[o] && for_number[to(o, w)] == number[o] && \
                       copy[at(o, field[w])] != value[w])
#define is_put(o, w)  (update[to(o, w)] == PUTS)

/* The change of rank w, and its fetches. */
proctype home(byte w) {
  byte k;
end:
  do
  :: atomic {
      asked[w] ->
      asked[w] = false;
      reply[at(w, 0)] = memory[0];
      reply[at(w, 1)] = memory[1];
      known[w] = true;
      known_number[w] = number[w];
      replied[w] = true
    }
  :: atomic {
      sent[w] && !compares[w] && !spreads[w] ->
      sent[w] = false;
      spreads[w] = true;
      memory[field[w]] = value[w];
      send_update(0, w);
      send_update(1, w);
      send_update(2, w)
    }
  :: atomic { moves(0, w) -> step(0, w) }
  :: atomic { moves(1, w) -> step(1, w) }
  :: atomic { moves(2, w) -> step(2, w) }
  :: atomic {
      spreads[w] && (is_answered(w) || (planted(2) && (is_put(0, w) || is_put(1, w) || is_put(2, w))))
      ->
      if
      :: lacks(0, w) || lacks(1, w) || lacks(2, w) -> assert(false)
      :: else
      fi;
      spreads[w] = false;
      verdict[w] = known[w];
      acknowledged[w] = true
    }
  od
}

init {
  byte r;
  atomic { /* all ranks have fetched the region */
    for (r : 0 .. RANKS - 1) {
      kept[r] = true;
      known[r] = true;
      word[r] = READY
    };
    run home(0);
    run home(1);
    run home(2);
    run thread(0);
    run thread(1);
    run thread(2)
  };
  _nr_pr == 4 -> /* all threads have ended */
  assert(memory[0] == last[0] && memory[1] == last[1]);
}
