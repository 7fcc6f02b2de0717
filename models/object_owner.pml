/* src/far/object/home/: region_directory_migration.cpp, recall.cpp: a region that migrates. Included
 * by object_thread.pml. If MOVES is 0, it does not.
 *
 * The model leaves out when a region migrates: it may, at each change of a rank that is alone. It
 * also leaves out that the home waits until the monitor is free.
 */

#ifndef MOVES
#define MOVES 0
#endif

#define ASKED_BACK 1
#define GIVEN_BACK 2
byte owner;  /* HOME: it has not migrated */
byte recall; /* a message to the owner, or its answer */
byte given[FIELDS];
bool gives[FIELDS];

bool owned[RANKS], was_recalled[RANKS];
bool grant[RANKS * FIELDS], granted[RANKS]; /* in the answer to a packet; in one of a flush's */

/* The thread has the bit for writing of a copy that was owned then; its rank gives it back. */
bool by_owner[THREADS], told_back[THREADS];
/* Threads of the home may read: they have asked, and do not forget it without need. */
bool own_reader[THREADS];

#define is_away(r) (owner != HOME && (owner != (r) || recall != NONE))
#define uses_own(t) ((own_reader[t] && !planted(28)) || own_writer[t])
#define home_uses  (uses_own(HOME) || (EXTRA == HOME && uses_own(THREADS - 1)))
#define is_alone(r) (user[r] && !user[3 - (r)] && !is_half(3 - (r)))
/* The states between the steps of a change, which is one step in the code. */
#define is_step(p)  ((p) == HALF || (p) == APPLIED)
#define is_half(r)  (is_step(packet[at(r, 0)]) || is_step(packet[at(r, 1)]))

inline start_recall() {
  recall = ASKED_BACK
}

/* Packet f of rank r is answered. */
inline move_to(r, f) {
  if
  :: MOVES && good && ((guess >> f) & 1) && owner == HOME && is_alone(r) && revoking == 0 &&
     !home_uses -> owner = r
  :: else
  fi;
  grant[at(r, f)] = (good && owner == r && recall == NONE)
}

inline tell_back(t) {
  if
  :: by_owner[t] && phase[t] == ENTER -> may_write[t] = false; by_owner[t] = false /* it waits */
  :: by_owner[t] && phase[t] != ENTER -> told_back[t] = !planted(34)
  :: else
  fi
}

/* At the owner, under the mutex. */
inline give_back(r) {
  was_recalled[r] = (busy[r] != NONE && !planted(30));
  if
  :: owned[r] ->
    owned[r] = false;
    tell_back(r);
    if
    :: shared(r) -> tell_back(THREADS - 1)
    :: else
    fi;
    if
    :: !planted(31) ->
      drain(r);
      if
      :: shared(r) -> drain(THREADS - 1)
      :: else
      fi
    :: else
    fi;
    for (p : 0 .. FIELDS - 1) {
      if
      :: copy[at(r, p)] != twin[at(r, p)] ->
        gives[p] = true;
        given[p] = copy[at(r, p)];
        twin[at(r, p)] = copy[at(r, p)]
      :: else
      fi
    };
    if
    :: !writers(r) -> forget_twin(r)
    :: else
    fi
  :: else
  fi;
  recall = GIVEN_BACK
}

inline given_back() {
  for (p : 0 .. FIELDS - 1) {
    memory[p] = (gives[p] && !planted(29) -> given[p] : memory[p]);
    gives[p] = false;
    given[p] = 0
  };
  owner = HOME;
  recall = NONE
}
