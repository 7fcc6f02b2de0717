/* src/far/sync/rw_lock.cpp and reader_gate.cpp: readers that pass a counter, writers that close it.
 *
 *   READERS, WRITERS  how many; the names of writers are 0 to WRITERS - 1
 *   READS, WRITES     how often each at most (counts are finite here)
 *   PASSES            most_passes of the job's level
 *   LIMIT             most_readers; the gate has one counter
 *   LEAVE             1: writers may give up while they close
 *
 * The writers' queue is an ideal one, for topology_lock.pml is of that; it has one level and nobody
 * leaves it. A writer may let readers come or not, and closes at any time after it has said so: how it
 * decides, and when the limit is reached, or nobody comes, is not modelled.
 *
 * Checked: one writer, or readers; nobody waits for ever for what does not come (no invalid end); a
 * reader that has a number is overtaken by one phase of writers at most, PASSES + 1; a writer that
 * has said that it wants in, by LIMIT readers that come after.
 */

#ifndef MUTANT
#define MUTANT 0
#endif

#define open             0 /* whether readers have waited is not told: it decides nothing here */
#define closed           2 /* + how often passed on since */
#define NOT_GIVEN        255

/* The word `arrived` in its parts; `departed` as it is, so that counts borrow from names. */
bool is_closed, wanted;
byte limit, arrived;
short departed;
byte closed_at;
byte drained[WRITERS];
#define COUNTS      64
#define count_of(word) ((word) & (COUNTS - 1))
#define name_of(word)  ((word) / COUNTS)
#define own_name       ((me + 1) * COUNTS)
#if MUTANT != 5 /* comes in beyond the limit */
#define keeps_out(number) (is_closed || (wanted && number >= limit))
#else
#define keeps_out(number) is_closed
#endif

/* The writers' queue: who waits, in order; what each was given. */
chan line = [WRITERS] of { byte };
byte gift[WRITERS];
bool busy;

/* Ghosts: who is inside; writers in since reader 0 has a number; readers in since it was wanted. */
byte readers_in, writers_in;
bool numbered, counting;
byte by_writers, by_readers;

inline come_in() {
  readers_in++;
  assert(writers_in == 0);
  if
  :: me == 0 -> numbered = false; by_writers = 0
  :: else
  fi
}

proctype reader(byte me) {
  byte number, reads;
  bool in, looked;
  byte last;
  do
  :: reads < READS ->
    atomic { /* enter: fetch_add */
      number = arrived;
      arrived++;
      reads++;
      if
      :: !keeps_out(number) ->
        if
        :: wanted && counting -> by_readers++; assert(by_readers <= LIMIT)
        :: else
        fi;
        in = true;
        come_in()
      :: else ->
        if
        :: me == 0 -> numbered = true
        :: else
        fi
      fi
    }
    do
    :: in -> break
    :: atomic { !in && !keeps_out(number) -> in = true; come_in() }
#if MUTANT != 4 /* waits only until it sees the gate open */
    :: atomic { !in && is_closed && closed_at > number -> in = true; come_in() }
    :: atomic { !in && !looked && is_closed -> looked = true } /* and looks at closed_at later */
      if
      :: atomic { closed_at > number -> in = true; come_in() }
      :: closed_at <= number
      fi
#endif
    od;
    atomic { /* leave: fetch_add */
      readers_in--;
      in = false;
      looked = false;
      number = 0;
      departed++;
      last = (count_of(departed) == 0 -> name_of(departed) : 0)
    }
    if
    :: atomic { last != 0 -> drained[last - 1]++; last = 0 }
    :: last == 0
    fi
  :: true -> break
  od
}

inline open_gate() {
  atomic { is_closed = false; wanted = false; limit = 0 }
}

/* Nobody will tell this writer any more. */
inline give_up() {
  if
  :: wants ->
    atomic {
      due = (tells && count_of(departed) == 0);
      departed = departed + (asked -> inside : 0) - own_name
    }
  :: else -> due = 0
  fi;
  drained[me] >= due;
  drained[me] = 0;
  open_gate();
  mine = false
}

inline close_gate() {
  atomic { mine = true; bound = 255 }
  if
  :: LIMIT > 0 ->
    wants = true;
    departed = departed + own_name;
    if /* find_limits: as many as may, or as have come since it was last closed */
    :: bound = arrived + LIMIT
    :: bound = arrived
    fi;
    atomic { /* want: fetch_or */
      wanted = true;
      limit = bound;
      counting = true;
      by_readers = (arrived > bound -> LIMIT : LIMIT - (bound - arrived));
      bound = (arrived > bound -> arrived : bound)
    }
    if
    :: true
    :: LEAVE -> give_up()
    fi
  :: true
  fi;
  if
  :: mine ->
    if /* close_all: both at once */
    :: gone = count_of(departed); atomic { is_closed = true; inside = arrived }
    :: atomic { is_closed = true; inside = arrived }; gone = count_of(departed)
    fi;
    atomic {
      inside = (inside > bound -> bound : inside);
      asked = (gone != inside)
    }
    if
#if MUTANT != 1 /* does not wait for readers inside, as the paper's listing 6 */
    :: asked ->
      /* ask_the_last: both at once */
      if
      :: closed_at = inside;
         atomic { gone = count_of(departed); departed = departed + (wants -> 0 : own_name) - inside }
      :: atomic { gone = count_of(departed); departed = departed + (wants -> 0 : own_name) - inside }
         closed_at = inside
      fi;
#if MUTANT != 2 /* waits for a reader though none is inside any more */
      tells = (gone != inside);
#else
      tells = true;
#endif
      wants = true;
      if
      :: drained[me] >= tells -> drained[me] = 0
      :: LEAVE -> give_up()
      fi
#endif
    :: else
    fi
  :: else
  fi
}

proctype writer(byte me) {
  byte value, next, inside, bound, writes;
  byte gone, due;
  bool mine, wants, asked, tells;
  do
  :: writes < WRITES ->
    atomic { /* enters the queue */
      writes++;
      gift[me] = NOT_GIVEN;
      if
      :: !busy -> busy = true; gift[me] = open
      :: else -> line!me
      fi
    }
    atomic { gift[me] != NOT_GIVEN -> value = gift[me]; gift[me] = 0 }
    if
    :: atomic { value >= closed -> mine = true }
    :: else -> close_gate(); value = closed
    fi;
    if
    :: mine ->
      atomic {
        writers_in++;
        counting = false;
        by_readers = 0;
        assert(writers_in == 1 && readers_in == 0);
        if
        :: numbered -> by_writers++; assert(by_writers <= PASSES + 1)
        :: else
        fi
      }
      writers_in--;
      if /* settle */
      :: wants -> departed = departed + (asked -> inside : 0) - own_name
      :: else
      fi;
      if
#if MUTANT != 3 /* passes on without end */
      :: atomic { value - closed < PASSES && nempty(line) -> line?next; gift[next] = value + 1 }
      :: value - closed >= PASSES || empty(line) ->
#else
      :: atomic { nempty(line) -> line?next; gift[next] = value + 1 }
      :: empty(line) ->
#endif
        open_gate();
        atomic {
          if
          :: nempty(line) -> line?next; gift[next] = open
          :: empty(line) -> busy = false
          fi
        }
      fi
    :: else ->
      atomic {
        counting = false;
        by_readers = 0;
        if
        :: nempty(line) -> line?next; gift[next] = open
        :: empty(line) -> busy = false
        fi
      }
    fi;
    atomic { /* forgotten, so that equal states are seen to be equal */
      value = 0; next = 0; inside = 0; bound = 0; gone = 0; due = 0;
      mine = false; wants = false; asked = false; tells = false
    }
  :: true -> break
  od
}

init {
  atomic {
    byte i;
    for (i : 0 .. READERS - 1) {
      run reader(i)
    }
    for (i : 0 .. WRITERS - 1) {
      run writer(i)
    }
  }
}
