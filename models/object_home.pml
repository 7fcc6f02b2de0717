/* src/far/object/home/region_directory.cpp, and the handlers at the home: its memory, and the
 * directory's entry of the region. Included by object_region.pml.
 *
 * Whether the home expects that the region will be written soon, or that a writer is alone, is a
 * guess that the lane makes: any guess must do.
 */

byte memory[FIELDS];
bool user[RANKS], user_kept[RANKS], current[RANKS];
byte leaves[RANKS]; /* a monitor's field, + 1, when the packet is answered */
byte revoking;

/* Threads of the home: which may write the region, and know that others have copies; which have
 * published and wait for a monitor.
 */
bool own_writer[THREADS], seen[THREADS], own_waits[THREADS], parked[THREADS];
bool told;
byte buffered[THREADS]; /* a field, + 1, whose new value is in the processor's store buffer */

#define has_copies (user[1] || user[2] || revoking > 0)

inline drain(t) {
  if
  :: buffered[t] != NONE && rank_of(t) == HOME ->
    memory[buffered[t] - 1] = latest[buffered[t] - 1];
    buffered[t] = NONE
  :: buffered[t] != NONE && rank_of(t) != HOME ->
    copy[at(rank_of(t), buffered[t] - 1)] = latest[buffered[t] - 1];
    buffered[t] = NONE
  :: else
  fi
}

inline heavy_fence() {
  drain(HOME);
  if
  :: EXTRA == HOME -> drain(THREADS - 1)
  :: else
  fi
}

inline tell_own_writers() {
  any = false;
  for (w : 0 .. THREADS - 1) {
    if
    :: own_writer[w] && (parked[w] || planted(42)) -> own_writer[w] = false; seen[w] = false
    :: own_writer[w] && !parked[w] && !planted(42) ->
      any = true;
      told = (told || !seen[w]);
      seen[w] = (seen[w] || !planted(12))
    :: else
    fi
  }
}

/* A copy that its rank keeps is in the directory, or its revocation is under way. */
inline check_directory() {
  for (g : 1 .. RANKS - 1) {
    assert(!kept[g] || (user[g] && user_kept[g]) || revocations[g] > 0);
    assert(!owned[g] || owner == g)
  }
}

inline fetched(r, guess) {
  owner = HOME; /* it may have been r, which has forgotten its copy */
  tell_own_writers();
  user[r] = true;
  current[r] = true;
  user_kept[r] = (guess && (!any || planted(13)));
  reply_kept[r] = user_kept[r];
  left[r] = (left[r] == NONE -> NONE : LATE);
  fetching[r] = (planted(16) -> REPLIED : (told && !planted(14) -> TOLD : FOUND));
  told = false
}

inline load(r, f) {
  reply[at(r, f)] = memory[f]
}

inline left_received(r) {
  user[r] = (left[r] == LATE && !planted(8) -> user[r] : false);
  user_kept[r] = (user[r] -> user_kept[r] : false);
  current[r] = (user[r] -> current[r] : false);
  owner = (!user[r] && owner == r && recall == NONE -> HOME : owner);
  check_directory();
  left[r] = NONE
}

inline apply(r, f) {
  memory[f] = change[at(r, f)];
  change[at(r, f)] = 0;
  if
  :: f == 0 -> packet[at(r, 0)] = (both[r] -> HALF : APPLIED)
  :: f == 1 && both[r] -> packet[at(r, 0)] = APPLIED; both[r] = false
  :: else -> packet[at(r, 1)] = APPLIED
  fi
}

inline changed(writer) {
  for (g : 1 .. RANKS - 1) {
    if
    :: g != writer && user[g] ->
      current[g] = planted(9);
      if
      :: user_kept[g] -> user_kept[g] = false; revoking++; revocations[g]++
      :: else
      fi
    :: else
    fi
  }
}

inline register(r) {
  if
  :: !planted(25) -> changed(r)
  :: else
  fi
}

inline decide(r, guess) {
  good = false;
  if
  :: user[r] && user_kept[r] -> good = (guess || !planted(21)); user_kept[r] = good
  :: user[r] && !user_kept[r] && current[r] && guess ->
    tell_own_writers();
    good = (!any || planted(27));
    user_kept[r] = good
  :: else
  fi
}

/* followed_changes.hpp: a message that leaves a monitor follows rank r's only packet. It may come
 * at any time, so it is acted on with the packet.
 */
inline leave_behind(r) {
  if
  :: leaves[r] != NONE ->
    w = leaves[r] - 1; /* the field */
    for (g : 1 .. RANKS - 1) {
      assert(!kept[g] || copy[at(g, w)] == latest[w])
    }
    monitor[w] = NONE;
    leaves[r] = NONE
  :: else
  fi
}

/* Of packet f of rank r. */
inline conclude(r, f) {
  leave_behind(r);
  decide(r, (guess >> f) & 1);
  move_to(r, f);
  verdict[at(r, f)] = good;
  packet[at(r, f)] = ANSWERED
}

inline finish(r, f) {
  if
  :: revoking > 0 && !planted(1) ->
    packet[at(r, f)] = WAITS;
    if
    :: planted(36) -> leave_behind(r)
    :: else
    fi
  :: else -> conclude(r, f)
  fi
}

inline revoked() {
  revoking--;
  if
  :: revoking == 0 ->
    for (p : 1 .. RANKS - 1) {
      for (q : 0 .. FIELDS - 1) {
        if
        :: packet[at(p, q)] == WAITS -> conclude(p, q)
        :: else
        fi
      }
    }
    for (p : 0 .. THREADS - 1) {
      own_waits[p] = false
    }
  :: else
  fi
}
