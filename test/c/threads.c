/* Threads that attach and detach, more than a rank has contexts for. */
#include <pthread.h>

#include "check.h"

enum { threads = 40, rounds = 20 };

typedef struct cell {
  uint64_t count;
} cell;

static far_space* space;
static const far_type* type;
static far_ref counter;
static far_lock* lock;
static far_ptr word;

static void add_one(void) {
  void* data;
  uint64_t value;
  OK(far_monitor_enter(space, counter));
  OK(far_object_write(space, counter, type, &data));
  ++((cell*)data)->count;
  OK(far_monitor_exit(space, counter));
  OK(far_lock_acquire(lock, FAR_FOREVER, NULL));
  OK(far_get(&value, far_ptr_on(word, 0), 8));
  ++value;
  OK(far_put(far_ptr_on(word, 0), &value, 8));
  OK(far_lock_release(lock));
}

static void* work(void* argument) {
  int i;
  CHECK(!far_is_attached());
  FAILS(FAR_NO_JOB, "not attached", far_safe_point(space));
  for (i = 0; i < rounds; ++i) {
    OK(far_attach(FAR_FOREVER));
    OK(far_attach(0));
    CHECK(far_is_attached());
    add_one();
    OK(far_detach());
    CHECK(far_is_attached());
    if (i + 1 < rounds || argument != NULL) OK(far_detach());
  }
  return NULL; /* every other thread ends without detaching */
}

static void* collect(void* argument) {
  (void)argument;
  OK(far_attach(FAR_FOREVER));
  OK(far_collect(space));
  OK(far_detach());
  return NULL;
}

/* Threads that are attached, or outside, or gone, stop no collection for long. */
static void collections(void) {
  pthread_t thread;
  far_collections counts;
  OK(far_begin_outside());
  CHECK(pthread_create(&thread, NULL, collect, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  FAILS(FAR_BAD_ARGUMENT, "far_end_outside first", far_refresh(space));
  FAILS(FAR_BAD_ARGUMENT, "outside already", far_begin_outside());
  OK(far_end_outside());
  FAILS(FAR_BAD_ARGUMENT, "not outside", far_end_outside());
  OK(far_barrier());
  OK(far_space_collections(space, &counts));
  CHECK(counts.count >= 1);
}

static void* hold(void* argument) {
  (void)argument;
  OK(far_attach(FAR_FOREVER));
  pthread_exit(NULL);
}

/* All contexts are taken: attaching waits no longer than it should, and says why. */
static void* fill(void* argument) {
  pthread_barrier_t* const full = (pthread_barrier_t*)argument;
  OK(far_attach(FAR_FOREVER));
  pthread_barrier_wait(full);
  pthread_barrier_wait(full);
  OK(far_detach());
  return NULL;
}

static void* try_attach(void* argument) {
  (void)argument;
  FAILS(FAR_OUT_OF_MEMORY, "FAR_CONTEXTS", far_attach(1000000));
  return NULL;
}

static void all_contexts(void) {
  enum { most = 13 };
  pthread_t filling[most], other;
  pthread_barrier_t full;
  int i;
  pthread_barrier_init(&full, NULL, most + 1);
  OK(far_begin_outside());
  for (i = 0; i < most; ++i) CHECK(pthread_create(&filling[i], NULL, fill, &full) == 0);
  pthread_barrier_wait(&full);
  CHECK(pthread_create(&other, NULL, try_attach, NULL) == 0);
  CHECK(pthread_join(other, NULL) == 0);
  FAILS(FAR_BAD_ARGUMENT, "13 other threads", far_leave());
  pthread_barrier_wait(&full);
  for (i = 0; i < most; ++i) CHECK(pthread_join(filling[i], NULL) == 0);
  OK(far_end_outside());
  pthread_barrier_destroy(&full);
}

/* A thread that uses what another one has been attached with, and the monitor that it is in. */
static void* go_on(void* argument) {
  far_attachment* none = NULL;
  OK(far_exchange_attachment(*(far_attachment**)argument, &none));
  CHECK(none == NULL && far_is_attached());
  OK(far_monitor_exit(space, counter));
  OK(far_exchange_attachment(NULL, (far_attachment**)argument));
  CHECK(!far_is_attached());
  return NULL;
}

static void handed_over(void) {
  pthread_t thread;
  far_attachment *mine, *none;
  OK(far_monitor_enter(space, counter));
  OK(far_exchange_attachment(NULL, &mine));
  FAILS(FAR_NO_JOB, "not attached", far_barrier());
  CHECK(pthread_create(&thread, NULL, go_on, &mine) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  OK(far_exchange_attachment(mine, &none));
  CHECK(none == NULL && !far_monitor_is_held(space, counter));
}

/* A monitor that goes from thread to thread of the rank without a message. */
static void* take_over(void* argument) {
  (void)argument;
  OK(far_attach(FAR_FOREVER));
  OK(far_monitor_borrow(space, counter));
  FAILS(FAR_BAD_ARGUMENT, "not lent", far_monitor_borrow(space, counter));
  OK(far_monitor_exit(space, counter));
  OK(far_detach());
  return NULL;
}

static void* wait_long(void* argument) {
  far_wait_end end = FAR_NOTIFIED;
  int number;
  OK(far_attach(FAR_FOREVER));
  OK(far_monitor_enter(space, counter));
  number = far_attachment_number();
  OK(far_atomic(far_ptr_plus(word, 8), 4, FAR_STORE, (uint64_t)number + 1, 0, NULL));
  while (end != FAR_WAIT_INTERRUPTED) OK(far_monitor_wait(space, counter, FAR_FOREVER, &end));
  OK(far_monitor_exit(space, counter));
  OK(far_detach());
  return argument;
}

static void lent_and_interrupted(void) {
  pthread_t thread;
  uint64_t number = 0;
  OK(far_monitor_enter(space, counter));
  OK(far_monitor_lend(space, counter));
  FAILS(FAR_BAD_ARGUMENT, "not in the monitor", far_monitor_exit(space, counter));
  OK(far_begin_outside());
  CHECK(pthread_create(&thread, NULL, take_over, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_create(&thread, NULL, wait_long, NULL) == 0);
  while (number == 0) OK(far_atomic(far_ptr_plus(word, 8), 4, FAR_LOAD, 0, 0, &number));
  OK(far_end_outside());
  OK(far_interrupt_wait(space, (int)number - 1));
  OK(far_begin_outside());
  CHECK(pthread_join(thread, NULL) == 0);
  OK(far_end_outside());
}

int main(int argc, char** argv) {
  const far_cell cells[] = {{0, 8, 0}};
  far_space_options options;
  pthread_t all[threads];
  const void* data;
  uint64_t value;
  int i;
  memset(&options, 0, sizeof(options));
  options.force_protocol = argc > 1 && strcmp(argv[1], "copies") == 0;
  OK(far_join());
  OK(far_space_create(&options, &space));
  OK(far_type_create(space, "cell", 8, cells, 1, &type));
  OK(far_lock_create(0, &lock));
  OK(far_allocate(16, &word));
  if (far_rank() == 0) {
    OK(far_object_make(space, type, &counter));
    OK(far_root_set(space, "counter", counter, type));
  }
  OK(far_barrier());
  OK(far_root_get(space, "counter", &counter));
  OK(far_begin_outside());
  for (i = 0; i < threads; ++i) {
    CHECK(pthread_create(&all[i], NULL, work, i % 2 == 0 ? NULL : &options) == 0);
  }
  for (i = 0; i < threads; ++i) CHECK(pthread_join(all[i], NULL) == 0);
  OK(far_end_outside());
  OK(far_barrier());
  OK(far_object_read(space, counter, type, &data));
  CHECK(((const cell*)data)->count == (uint64_t)(far_size() * threads * rounds));
  OK(far_get(&value, far_ptr_on(word, 0), 8));
  CHECK(value == (uint64_t)(far_size() * threads * rounds));
  OK(far_barrier());
  collections();
  CHECK(pthread_create(&all[0], NULL, hold, NULL) == 0);
  CHECK(pthread_join(all[0], NULL) == 0);
  all_contexts();
  handed_over();
  lent_and_interrupted();
  OK(far_barrier());
  OK(far_free(word));
  OK(far_lock_destroy(lock));
  OK(far_space_destroy(space));
  OK(far_leave());
  return 0;
}
