/* src/far/array/cached/cache.cpp and cache_protocol.cpp: a rank's line, and what grants and recalls
 * do to it. Included by cached_array.pml. Each inline is part of a step under the rank's mutex.
 */

/* Each rank's line. `word` is what the chunk's word grants. `current`: whether the elements are
 * those of the last change. The home's elements are its memory.
 */
byte has[RANKS], wanted[RANKS], word[RANKS];
byte requested[RANKS], number[RANKS], wanted_number[RANKS], wanted_copy[RANKS];
bool fresh[RANKS], evicting[RANKS], current[RANKS];
byte one_sided[RANKS], read_pins[RANKS], other_pins[RANKS];

/* Each thread's claim while it waits (`whole`: not of one element); whether its wait may end. */
byte claim[THREADS];
bool whole[THREADS], woken[THREADS];
/* Each thread's record, the number of operands in its line, and that line's word. */
bool accessed[THREADS], notice[THREADS], pin_notice[THREADS];
byte quick_pin[THREADS], operands[THREADS], operand_word[THREADS];

#define includes(right, what) ((what) == NONE || (right) == WRITE || (right) == (what))
#define covers(right, what, all) (includes(right, what) || ((right) == DIRECT && !(all)))
#define may_evict(r) (evicting[r] && !fresh[r] && read_pins[r] + other_pins[r] == 0)

inline wake(r) {
  for (w : 0 .. THREADS - 1) {
    if
    :: rank_of(w) == r && claim[w] != NONE -> woken[w] = true
    :: else
    fi
  }
}

#define sleeps(t) (claim[t] != NONE && !woken[t])
#define waits(r)  (sleeps(r) || (EXTRA == r && sleeps(THREADS - 1)))

inline publish(r) {
  word[r] = (has[r] == READ || has[r] == WRITE || (has[r] == DIRECT && r == HOME) -> has[r] : NONE)
}

inline withdraw(r) {
  word[r] = NONE;
  for (w : 0 .. THREADS - 1) {
    if
    :: rank_of(w) == r && !planted(1) -> operand_word[w] = NONE
    :: else
    fi
  }
}

/* Numbers name other ranks' requests: the home's rights are not recalled by messages. */
inline request(r, what) {
  wanted[r] = what;
  if
  :: r != HOME ->
    requested[r]++;
    wanted_number[r] = requested[r];
    wanted_copy[r] = (has[r] == READ -> number[r] : 0)
  :: else
  fi;
  assert(nfull(wants[r]));
  wants[r]!!what
}

/* `sum`: the operands of all threads. */
inline merge_operands(r) {
  sum = 0;
  for (w : 0 .. THREADS - 1) {
    if
    :: rank_of(w) == r -> sum = sum + operands[w]; operands[w] = (planted(2) -> operands[w] : 0)
    :: else
    fi
  }
}

inline finish(r) {
  assert(!unused[r] || planted(25));
  if
  :: operator(has[r]) ->
    merge_operands(r);
    sum = (planted(3) && evicts[r] -> 0 : sum);
    if
    :: r == HOME -> merge(has[r], sum)
    :: else -> answer[r] = sum; answer_op[r] = has[r]
    fi
  :: has[r] == WRITE && r != HOME ->
    answer[r] = (planted(4) && keep[r] == READ -> current[HOME] : current[r])
  :: else
  fi;
  has[r] = keep[r];
  number[r] = (has[r] == NONE -> 0 : number[r]);
  evicting[r] = false;
  current[r] = (r == HOME || has[r] != NONE -> current[r] : false);
  publish(r);
  recall[r] = ANSWERED;
  wake(r)
}

#define quick_pin_stays(w) \
  (quick_pin[w] != NONE && (keep[r] != READ || (quick_pin[w] == WRITE && !planted(10))))

/* `inside`: a thread accesses or pins the chunk in a way that what is kept does not allow. */
inline is_accessed(r) {
  inside = false;
  for (w : 0 .. THREADS - 1) {
    if
    :: rank_of(w) == r && accessed[w] && !planted(5) -> inside = true; notice[w] = !planted(6)
    :: else
    fi;
    if
    :: rank_of(w) == r && quick_pin_stays(w) -> inside = true; pin_notice[w] = !planted(11)
    :: else
    fi
  }
}

#define has_come(r) (kind(has[r]) == kind(from[r]) || planted(14))
#define pins_stay(r) \
  ((other_pins[r] > 0 && !(planted(9) && keep[r] == READ)) || (read_pins[r] > 0 && keep[r] != READ))

inline try_revoke(r) {
  if
  :: recall[r] == HELD && has_come(r) && (!fresh[r] || planted(13) || planted(25)) ->
    withdraw(r);
    if
    :: (pins_stay(r) && !planted(8) && !(planted(7) && evicts[r])) ||
       (one_sided[r] > 0 && !planted(12))
    :: else ->
      is_accessed(r);
      if
      :: inside
      :: else -> finish(r)
      fi
    fi
  :: else
  fi
}

inline granted(r, right) {
  has[r] = right;
  number[r] = wanted_number[r];
  wanted[r] = (includes(has[r], wanted[r]) -> NONE : wanted[r]);
  evicting[r] = false;
  current[r] = (r == HOME || has[r] == READ || has[r] == WRITE -> current[r] : false);
  fresh[r] = false;
  for (w : 0 .. THREADS - 1) {
    if
    :: rank_of(w) == r && claim[w] != NONE && covers(has[r], claim[w], whole[w]) -> fresh[r] = true
    :: else
    fi
  }
  unused[r] = fresh[r];
  try_revoke(r);
  wake(r)
}

#define was_dropped(r) \
  (names[r] != number[r] && (wanted[r] == NONE || names[r] != wanted_number[r]))

inline recalled(r) {
  if
  :: was_dropped(r) ->
    assert(from[r] == READ);
    dropped[r] = true;
    recall[r] = ANSWERED
  :: !was_dropped(r) && evicts[r] &&
     (kind(has[r]) != kind(from[r]) || (!may_evict(r) && !planted(7))) ->
    refused[r] = true;
    evicting[r] = false;
    recall[r] = ANSWERED;
    wake(r)
  :: else -> recall[r] = HELD; try_revoke(r)
  fi
}


#define quick_pins(r) ((quick_pin[r] != NONE) || (EXTRA == r && quick_pin[THREADS - 1] != NONE))
#define lines(r)      (operands[r] > 0 || (EXTRA == r && operands[THREADS - 1] > 0))
#define has_slot(r) \
  ((r != HOME && (has[r] == READ || has[r] == WRITE)) || (operator(has[r]) && lines(r)))
#define is_idle(r) \
  (wanted[r] == NONE && !fresh[r] && !evicting[r] && recall[r] != HELD && \
   read_pins[r] + other_pins[r] == 0 && !quick_pins(r))

#define is_named(r) (accessed[r] || (EXTRA == r && accessed[THREADS - 1])) /* or pinned */

/* Both rounds of the clock hand: the first one only withdraws the chunk. */
inline evict(r) {
  withdraw(r);
  if
  :: has[r] == READ && (!is_named(r) || planted(28)) -> /* drop */
    has[r] = NONE;
    number[r] = (planted(27) -> number[r] : 0);
    current[r] = false;
    wake(r)
  :: has[r] == READ && is_named(r) && !planted(28)
  :: else ->
    evicting[r] = true;
    assert(nfull(wants[r]));
    wants[r]!!NONE
  fi
}
