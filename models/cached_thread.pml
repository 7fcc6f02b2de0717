/* src/far/array/cached/cache.cpp and thread_access.hpp: how threads access the chunk. Included by
 * cached_array.pml. `r` is the rank of thread `t`.
 */

#define IDLE   0
#define SLOW   1
#define INSIDE 2 /* a hit has read the chunk's word */
#define PINNED 3
#define PASSES 4 /* accesses the home's memory */
#define TOLD   5 /* got a notice */

inline forget() {
  what = NONE;
  pins = false;
  direct = false
}

#define hits(what) \
  ((what == READ && word[r] != NONE) || word[r] == WRITE || operand_word[t] == what || \
   (planted(23) && operator(what) && operand_word[t] != NONE))
#define pinnable(what) \
  ((what == READ && word[r] == READ) || (what != PLUS && word[r] == WRITE))
#define at_home(what) (r == HOME && (what) == READ)

inline make_access() {
  if
  :: operator(what) && has[r] != WRITE -> combine(t, r, what)
  :: else -> access_value(r, r, what)
  fi
}

/* After covers(): the access, or the pin, or the entry into the home's memory; then leave. */
inline enter() {
  if
  :: has[r] == DIRECT && !at_home(what) -> one_sided[r]++; phase = PASSES
  :: else ->
    if
    :: recall[r] == HELD || evicting[r]
    :: else ->
      if
      :: operator(has[r]) -> operand_word[t] = has[r]
      :: else -> publish(r)
      fi
    fi;
    if
    :: pins ->
      if
      :: what == READ -> read_pins[r]++
      :: else -> other_pins[r]++
      fi;
      evicting[r] = false;
      phase = PINNED
    :: else -> make_access(); forget(); phase = IDLE
    fi;
    if
    :: !planted(24) -> try_revoke(r)
    :: else
    fi
  fi
}

/* One round of acquire. */
inline acquire() {
  waited = (claim[t] != NONE);
  claim[t] = NONE;
  whole[t] = false;
  woken[t] = false;
  if
  :: waited
  :: else -> notice[t] = false; try_revoke(r)
  fi;
  if
  :: covers(has[r], what, pins) &&
     (waited || has[r] != DIRECT || at_home(what) || (recall[r] != HELD && direct)) ->
    fresh[r] = (waited -> false : fresh[r]);
    unused[r] = false;
    enter()
  :: else ->
    if
    :: wanted[r] == NONE -> request(r, (direct -> DIRECT : what))
    :: else
    fi;
    claim[t] = what;
    whole[t] = pins
  fi
}

/* An access to another chunk of the region has requested this one, too. */
inline request_region() {
  if
  :: (has[r] == NONE || planted(26)) && wanted[r] == NONE && recall[r] != HELD && r != HOME &&
     claim[r] == NONE && (EXTRA != r || claim[THREADS - 1] == NONE) ->
    request(r, DIRECT)
  :: else
  fi
}

inline prefetch(right) {
  if
  :: wanted[r] == NONE && !includes(has[r], right) -> request(r, right)
  :: else
  fi
}

inline unpin() {
  if
  :: quick_pin[t] != NONE -> quick_pin[t] = NONE
  :: else ->
    if
    :: what == READ -> read_pins[r]--
    :: else -> other_pins[r]--
    fi;
    try_revoke(r)
  fi
}

inline answer_notice() {
  notice[t] = false;
  pin_notice[t] = false;
  try_revoke(r)
}

/* The first step of an operation: it hits, or takes the slow path. */
inline begin() {
  if
  :: !pins && hits(what)    -> accessed[t] = true; phase = INSIDE
  :: pins && pinnable(what) -> quick_pin[t] = what; phase = PINNED
  :: else -> phase = SLOW
  fi
}

proctype thread(byte t; byte r) {
  byte left = ops_of(r);
  byte phase, what, stage;
  bool pins, direct;
  do
  :: atomic {
      phase == IDLE && left > 0 -> left--;
      if
      :: can(GET)         -> what = READ
      :: can(SET)         -> what = WRITE
      :: can(APPLY_PLUS)  -> what = PLUS
      :: can(APPLY_TIMES) -> what = TIMES
      :: can(PIN_READ)    -> what = READ; pins = true
      :: can(PIN_WRITE)   -> what = WRITE; pins = true
      :: can(PIN_PLUS)    -> what = PLUS; pins = true
      :: can(PREFETCH)    -> prefetch(READ)
      :: can(PREFETCH_PLUS) -> prefetch(PLUS)
      :: can(REGION)      -> request_region()
      fi;
      if
      :: what == NONE
      :: else -> begin()
      fi;
      if
      :: phase == SLOW && can(DIRECTLY) && !pins -> direct = true
      :: true
      fi
    }
  :: d_step { phase == SLOW && (claim[t] == NONE || woken[t]) -> acquire() }
  :: d_step {
      phase == INSIDE ->
      make_access();
      accessed[t] = false;
      phase = (notice[t] -> TOLD : IDLE);
      forget()
    }
  :: d_step {
      phase == PINNED ->
      make_access();
      phase = (quick_pin[t] != NONE && pin_notice[t] -> TOLD : IDLE);
      unpin();
      forget()
    }
  :: d_step {
      phase == PASSES ->
      access_value(r, HOME, what);
      one_sided[r]--;
      try_revoke(r);
      phase = IDLE;
      forget()
    }
  :: d_step { phase == TOLD -> answer_notice(); phase = IDLE }
  :: atomic {
      phase == IDLE && stage == 0 ->
      left = 0;
      ended++;
      stage = 1;
      if
      :: t == 0 -> skip
      :: else -> break
      fi
    }
  :: d_step { /* a last get, of all that was left */
      phase == IDLE && stage == 1 && ended == THREADS -> what = READ; stage = 2; begin()
    }
  :: atomic { phase == IDLE && stage == 2 -> ended++; break }
  od
}
