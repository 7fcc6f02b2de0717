/* A hash table and a queue over MPI-3's one-sided operations, with the protocols of far::hash_map
 * and far::queue, as in bench/baselines/table_baseline.hpp and ring_baseline.hpp. All ranks work at
 * the same time. N >= 1; far bench runs them on two.
 *
 * table_insert, table_find, table_find_unchanged: this rank's keys in turn, with arbitrary homes.
 * queue_push, queue_pop, queue_push_pop, queue_push_phase, queue_pop_phase: a ring at rank 0.
 *
 * Each operation is flushed before another that depends on it. The last operation of a find, which
 * releases the bucket, completes with the next flush, as in libfar. */

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "mpi_peer.h"

enum { key_bits = 15, bucket_words = 4, bucket_bits = 17 }; /* keys per rank; buckets in total */
enum { flag_empty = 0, flag_written = 1, flag_whole = 2, flag_states = 3, flag_reader = 4 };

static MPI_Win table = MPI_WIN_NULL;
static uint64_t* table_memory;
static uint64_t buckets; /* of this rank; a power of two if `size` is one */
static uint64_t next;
static int filled;

static void fetch_add(MPI_Win window, int target, MPI_Aint word, uint64_t more, uint64_t* old) {
  MPI_Fetch_and_op(&more, old, MPI_UINT64_T, target, word, MPI_SUM, window);
  MPI_Win_flush(target, window);
}

static uint64_t load(MPI_Win window, int target, MPI_Aint word) {
  const uint64_t unused = 0;
  uint64_t value = 0;
  MPI_Fetch_and_op(&unused, &value, MPI_UINT64_T, target, word, MPI_NO_OP, window);
  MPI_Win_flush(target, window);
  return value;
}

static int swapped(MPI_Win window, int target, MPI_Aint word, uint64_t from, uint64_t to) {
  uint64_t old = 0;
  MPI_Compare_and_swap(&to, &from, &old, MPI_UINT64_T, target, word, window);
  MPI_Win_flush(target, window);
  return old == from;
}

/* Called between two polls; yields after some, because the rank to wait for may need this core. */
static void pause_after(int looks) {
  if (looks > 16) sched_yield();
}

static void get_words(MPI_Win window, int target, MPI_Aint word, int count, uint64_t* values) {
  MPI_Get(values, count, MPI_UINT64_T, target, word, count, MPI_UINT64_T, window);
  MPI_Win_flush(target, window);
}

static void put_words(MPI_Win window, int target, MPI_Aint word, int count,
                      const uint64_t* values) {
  MPI_Put(values, count, MPI_UINT64_T, target, word, count, MPI_UINT64_T, window);
  MPI_Win_flush(target, window);
}

/* ---- the table: a bucket is a flag, a key, a value, and an unused word */

/* Equals far::hash. */
static uint64_t hash(uint64_t key) {
  key *= 0x9e3779b97f4a7c15u;
  key ^= key >> 30;
  key *= 0xbf58476d1ce4e5b9u;
  key ^= key >> 27;
  key *= 0x94d049bb133111ebu;
  return key ^ (key >> 31);
}

static int home_of(uint64_t h) { return (int)((h >> 32) % (uint64_t)size); }
static MPI_Aint bucket_of(uint64_t h, uint64_t step) {
  return (MPI_Aint)((h + step) % buckets) * bucket_words;
}

static uint64_t next_key(void) {
  const uint64_t mine = next++ & (((uint64_t)1 << key_bits) - 1);
  return mine * (uint64_t)size + (uint64_t)rank;
}

static int insert(uint64_t key, uint64_t value) {
  const uint64_t h = hash(key), item[2] = {key, value};
  const int home = home_of(h);
  for (uint64_t step = 0;; ++step) {
    const MPI_Aint at = bucket_of(h, step);
    uint64_t there, flag;
    if (swapped(table, home, at, flag_empty, flag_written)) {
      put_words(table, home, at + 1, 2, item);
      fetch_add(table, home, at, flag_whole - flag_written, &flag);
      return 1;
    }
    for (int looks = 0; (load(table, home, at) & flag_states) == flag_written; ++looks) {
      pause_after(looks);
    }
    get_words(table, home, at + 1, 1, &there);
    if (there == key) return 0;
  }
}

/* Returns the value, or 0 if the key does not exist. Allowed while others change values: they wait
 * until there are no readers. */
static uint64_t find(uint64_t key) {
  static const uint64_t less = (uint64_t)0 - flag_reader;
  static uint64_t unused;
  const uint64_t h = hash(key);
  const int home = home_of(h);
  for (uint64_t step = 0;; ++step) {
    const MPI_Aint at = bucket_of(h, step);
    uint64_t flag, item[2];
    fetch_add(table, home, at, flag_reader, &flag);
    get_words(table, home, at + 1, 2, item);
    MPI_Fetch_and_op(&less, &unused, MPI_UINT64_T, home, at, MPI_SUM, table);
    if ((flag & flag_states) == flag_whole && item[0] == key) return item[1];
    if ((flag & flag_states) == flag_empty) return 0;
  }
}

/* Only while no rank changes the table. */
static uint64_t find_unchanged(uint64_t key) {
  const uint64_t h = hash(key);
  const int home = home_of(h);
  for (uint64_t step = 0;; ++step) {
    uint64_t bucket[3];
    get_words(table, home, bucket_of(h, step), 3, bucket);
    if ((bucket[0] & flag_states) == flag_empty) return 0;
    if (bucket[1] == key) return bucket[2];
  }
}

static void empty_table(void) {
  if (table == MPI_WIN_NULL) {
    buckets = ((uint64_t)1 << bucket_bits) / (uint64_t)size;
    table = open_window(buckets * bucket_words, &table_memory);
  }
  MPI_Win_flush_all(table);
  MPI_Barrier(MPI_COMM_WORLD);
  memset(table_memory, 0, buckets * bucket_words * sizeof(uint64_t));
  MPI_Win_sync(table);
  MPI_Barrier(MPI_COMM_WORLD);
  next = 0;
  filled = 0;
}

static void fill_table(void) {
  if (filled) return; /* finds change nothing */
  empty_table();
  for (long i = 0; i < 1L << key_bits; ++i) {
    const uint64_t key = next_key();
    insert(key, key + 1);
  }
  filled = 1;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_insert(long count) {
  for (long i = 0; i < count; ++i) {
    const uint64_t key = next_key();
    sink = (uint64_t)insert(key, key + 1);
  }
}

static void check_found(uint64_t key, uint64_t value) {
  if (value == key + 1) return;
  fprintf(stderr, "mpi_peer: the table lost key %llu\n", (unsigned long long)key);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void run_find(long count) {
  for (long i = 0; i < count; ++i) {
    const uint64_t key = next_key();
    check_found(key, find(key));
  }
}

static void run_find_unchanged(long count) {
  for (long i = 0; i < count; ++i) {
    const uint64_t key = next_key();
    check_found(key, find_unchanged(key));
  }
}

/* ---- the queue: four cursors, each in its own cache line, then the ring; positions only grow */

enum { slot_bits = 18, first_slot = 32 };
enum { tail = 0, ready = 8, head = 16, freed = 24 }; /* words of rank 0's window */
static const uint64_t slots = (uint64_t)1 << slot_bits;
static MPI_Win queue = MPI_WIN_NULL;
static uint64_t* queue_memory;
static uint64_t freed_seen, ready_seen; /* they only grow, so old values are safe */

static MPI_Aint slot_of(uint64_t position) {
  return first_slot + (MPI_Aint)(position & (slots - 1));
}

/* Advances the cursor, in order of positions. */
static void move_over(MPI_Aint cursor, uint64_t position) {
  for (int looks = 0; !swapped(queue, 0, cursor, position, position + 1); ++looks) {
    pause_after(looks);
  }
}

/* Waits while the queue is full (pop: empty); callers ensure that this ends. */
static void push(uint64_t value, int takes_turns) {
  uint64_t position;
  fetch_add(queue, 0, tail, 1, &position);
  for (int looks = 0; position + 1 > freed_seen + slots; ++looks) {
    pause_after(looks);
    freed_seen = load(queue, 0, freed);
  }
  put_words(queue, 0, slot_of(position), 1, &value);
  if (takes_turns) move_over(ready, position);
}

static uint64_t pop(int takes_turns) {
  uint64_t position, value;
  fetch_add(queue, 0, head, 1, &position);
  for (int looks = 0; position >= ready_seen; ++looks) {
    pause_after(looks);
    ready_seen = load(queue, 0, ready);
  }
  get_words(queue, 0, slot_of(position), 1, &value);
  if (takes_turns) move_over(freed, position);
  return value;
}

static void prepare_queue(uint64_t values) {
  if (queue == MPI_WIN_NULL) queue = open_window(first_slot + (size_t)slots, &queue_memory);
  MPI_Win_flush_all(queue);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    memset(queue_memory, 0, first_slot * sizeof(uint64_t));
    for (uint64_t i = 0; i < values; ++i) queue_memory[first_slot + i] = i;
    queue_memory[tail] = queue_memory[ready] = values;
  }
  freed_seen = ready_seen = 0;
  MPI_Win_sync(queue);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void empty_queue(void) { prepare_queue(0); }
static void fill_queue(void) { prepare_queue(slots); }

static void run_push(long count) {
  for (long i = 0; i < count; ++i) push((uint64_t)i, 1);
}
static void run_push_phase(long count) {
  for (long i = 0; i < count; ++i) push((uint64_t)i, 0);
}
static void run_pop(long count) {
  for (long i = 0; i < count; ++i) sink = pop(1);
}
static void run_pop_phase(long count) {
  for (long i = 0; i < count; ++i) sink = pop(0);
}
static void run_push_pop(long count) {
  for (long i = 0; i < count; ++i) {
    push((uint64_t)i, 1);
    sink = pop(1);
  }
}

const struct operation container_operations[] = {
    {"table_insert", 1, empty_table, run_insert},
    {"table_find", 1, fill_table, run_find},
    {"table_find_unchanged", 1, fill_table, run_find_unchanged},
    {"queue_push", 1, empty_queue, run_push},
    {"queue_pop", 1, fill_queue, run_pop},
    {"queue_push_pop", 1, empty_queue, run_push_pop},
    {"queue_push_phase", 1, empty_queue, run_push_phase},
    {"queue_pop_phase", 1, fill_queue, run_pop_phase},
    {NULL, 0, NULL, NULL},
};

void close_containers(void) {
  if (table != MPI_WIN_NULL) close_window(&table);
  if (queue != MPI_WIN_NULL) close_window(&queue);
}
