/* src/far/sync/rw_lock.cpp and reader_gate.cpp: readers that pass a counter, writers that close it.
 *
 *   READERS, WRITERS  their numbers; writers are named 0 to WRITERS - 1
 *   READS, WRITES     max operations of each reader and writer (counts are finite here)
 *   PASSES            max_passes of the job's level
 *   LIMIT             max_readers; the gate has one counter
 *   LEAVE             1: writers may give up while they close
 *
 * The writers' queue is ideal, because topology_lock.pml models the real one: it has one level, and
 * no writer leaves it. A writer may let readers enter or not, and may close at any time after it
 * has announced itself. How it decides, and that it stops waiting when the limit is reached or no
 * reader comes, is not modelled.
 *
 * Checked: one writer, or readers; no deadlock (no invalid end); a reader that has a number is
 * overtaken by at most one phase of writers, PASSES + 1; a writer that has announced itself, by at
 * most LIMIT readers that come after.
 */

#ifndef MUTANT
#define MUTANT 0
#endif

#define open             0 /* the code also has open_for_readers, which makes no difference here */
#define closed           2 /* + the number of passes since */
#define NOT_GIVEN        255

/* The fields of the word `arrived`; `departed` is one word, so that counts borrow from names. */
bool is_closed, wanted;
byte limit, arrived;
short departed;
byte closed_at;
byte drained[WRITERS];
#define COUNTS      64
#define count_of(word) ((word) & (COUNTS - 1))
#define name_of(word)  ((word) / COUNTS)
#define own_name       ((me + 1) * COUNTS)
#if MUTANT != 5 /* enters beyond the limit */
#define keeps_out(number) (is_closed || (wanted && number >= limit))
#else
#define keeps_out(number) is_closed
#endif

/* The writers' queue: the waiting writers, in order; the value that was passed to each. */
chan line = [WRITERS] of { byte };
byte gift[WRITERS];
bool busy;

/* Ghosts: the threads inside; writers that entered since reader 0 got its number; readers that
 * entered since a writer announced itself.
 */
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
    :: atomic { !in && !looked && is_closed -> looked = true } /* and reads closed_at later */
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

/* After this, no reader notifies this writer any more. */
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
    if /* find_limits: all that may enter, or all that have come since the gate was last closed */
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
#if MUTANT != 1 /* does not wait for readers inside, like the paper's listing 6 */
    :: asked ->
      /* query_latest: both at once */
      if
      :: closed_at = inside;
         atomic { gone = count_of(departed); departed = departed + (wants -> 0 : own_name) - inside }
      :: atomic { gone = count_of(departed); departed = departed + (wants -> 0 : own_name) - inside }
         closed_at = inside
      fi;
#if MUTANT != 2 /* waits for a reader although none is inside any more */
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
    atomic { /* reset, so that equal states compare equal */
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
