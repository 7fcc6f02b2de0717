/* src/far/array/cached/home.cpp: the directory's entry of the chunk. Included by cached_array.pml.
 * Each inline is part of a step under the home's mutex.
 */

byte held;          /* the right of the holders */
bool holder[RANKS]; /* other ranks */
byte granted_by[RANKS]; /* the number of a holder's last request */
byte awaited;       /* answers to recalls for the first request */
chan requests = [8] of { byte, byte }; /* a rank, and what it wants; NONE: an eviction */

#define has_holders (holder[1] || holder[2])

#define compatible(right, what, same) \
  ((what) == NONE -> ((same) -> NONE : (right)) : \
  ((right) == READ -> ((what) == READ || ((what) == WRITE && (same)) -> READ : NONE) : \
  ((right) == WRITE -> ((same) && (what) != DIRECT -> WRITE : ((what) == READ -> READ : NONE)) : \
  ((right) == (what) -> (right) : NONE))))

#define has_data(r) \
  (r != HOME && !refused[r] && !dropped[r] && (operator(from[r]) || from[r] == WRITE))

inline end_recall(r) {
  recall[r] = NO_RECALL;
  from[r] = NONE;
  keep[r] = NONE;
  evicts[r] = false;
  refused[r] = false;
  dropped[r] = false;
  names[r] = 0
}

inline revoke_own(kept) {
  assert(recall[HOME] == NO_RECALL);
  recall[HOME] = HELD;
  from[HOME] = has[HOME];
  keep[HOME] = kept;
  try_revoke(HOME);
  if
  :: recall[HOME] == ANSWERED -> end_recall(HOME)
  :: else -> awaited++
  fi
}

inline recall_for(q, what) {
  for (h : 1 .. RANKS - 1) {
    kept = compatible(held, what, h == q);
    kept = (planted(16) && held == WRITE && what == WRITE -> held : kept);
    kept = (planted(17) && operator(held) && operator(what) -> held : kept);
    if
    :: holder[h] && kept != held ->
      assert(recall[h] == NO_RECALL);
      recall[h] = SENT;
      from[h] = held;
      keep[h] = kept;
      evicts[h] = (what == NONE);
      names[h] = granted_by[h];
      awaited++
    :: else
    fi
  }
  kept = compatible(has[HOME], what, q == HOME);
  if
  :: kept == has[HOME] || (planted(18) && has[HOME] == READ)
  :: kept != has[HOME] && what == NONE && !may_evict(HOME) -> evicting[HOME] = false
  :: else -> revoke_own(kept)
  fi
}

#define has_copy(q) (holder[q] && (granted_by[q] == wanted_copy[q] || planted(15)))

inline grant_to(q, what) {
  if
  :: what == NONE
  :: what != NONE && q == HOME ->
    kept = (planted(22) && operator(what) && operator(wanted[HOME]) -> wanted[HOME] : what);
    kept = (!has_holders && !operator(has[HOME]) -> WRITE : kept);
    granted(HOME, kept)
  :: else ->
    assert(grant[q] == NONE);
    grant[q] = what;
    with_data[q] = ((what == READ || (what == WRITE && !planted(19))) && !has_copy(q));
    granted_by[q] = wanted_number[q];
    sent[q] = (with_data[q] -> current[HOME] : false);
    holder[q] = true;
    held = what
  fi
}

/* Between requests the home has what the holders leave it. */
inline settle_own_right() {
  kept = (!has_holders -> WRITE : (held == READ || held == DIRECT -> held : has[HOME]));
  if
  :: !operator(has[HOME]) && has[HOME] != kept -> granted(HOME, kept)
  :: else
  fi
}

inline serve() {
  do
  :: empty(requests) -> settle_own_right(); break
  :: nempty(requests) ->
    requests?<asker, wish>;
    recall_for(asker, wish);
    if
    :: awaited > (planted(20) && wish != NONE -> 1 : 0) -> break
    :: else ->
      grant_to(asker, wish);
      requests?asker, wish;
      if
      :: awaited > 0 -> break /* planted(20) */
      :: else
      fi
    fi
  od
}

inline returned(r) {
  if
  :: operator(from[r]) -> assert(held == answer_op[r]); merge(held, answer[r])
  :: else -> current[HOME] = answer[r]
  fi;
  answer[r] = 0;
  answer_op[r] = NONE
}

inline answered(r) {
  if
  :: r == HOME
  :: r != HOME && refused[r] ->
    requests?asker, wish;
    holder[r] = !planted(21);
    held = (has_holders -> held : NONE)
  :: r != HOME && !refused[r] && keep[r] == NONE ->
    holder[r] = false;
    granted_by[r] = 0;
    held = (has_holders -> held : NONE)
  :: else -> held = keep[r]
  fi;
  end_recall(r);
  awaited--
}
