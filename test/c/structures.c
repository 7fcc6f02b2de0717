/* Maps, queues, locks. */
#include "check.h"

static void maps(void) {
  far_map* map;
  char key[32];
  const void* value;
  size_t bytes;
  uint64_t keys;
  int i, added = -1;
  OK(far_map_create(&map));
  for (i = 0; i < 100; ++i) {
    sprintf(key, "%d of %d", i, far_rank());
    OK(far_map_put(map, key, strlen(key), &i, sizeof(i), &added));
    CHECK(added == 1);
  }
  OK(far_map_size(map, &keys));
  CHECK(keys == 100u * (uint64_t)far_size());
  for (i = 0; i < 100; ++i) {
    sprintf(key, "%d of %d", i, (far_rank() + 1) % far_size());
    OK(far_map_get(map, key, strlen(key), &value, &bytes));
    CHECK(bytes == sizeof(i) && memcmp(value, &i, bytes) == 0);
  }
  OK(far_map_get(map, "none", 4, &value, &bytes));
  CHECK(value == NULL);
  OK(far_barrier());
  if (far_rank() == 0) {
    OK(far_map_put(map, "", 0, "", 0, NULL));
    OK(far_map_get(map, NULL, 0, &value, &bytes));
    CHECK(value != NULL && bytes == 0);
    OK(far_map_put_new(map, "", 0, "x", 1, &added));
    CHECK(added == 0);
    OK(far_map_remove(map, "", 0, &added));
    CHECK(added == 1);
    OK(far_map_remove(map, "", 0, &added));
    CHECK(added == 0);
    FAILS(FAR_BAD_ARGUMENT, "the key", far_map_get(map, NULL, 4, &value, &bytes));
    FAILS(FAR_BAD_ARGUMENT, "null", far_map_get(NULL, "", 0, &value, &bytes));
  }
  OK(far_map_clear(map));
  OK(far_map_size(map, &keys));
  CHECK(keys == 0);
  OK(far_map_destroy(map));
  OK(far_map_destroy(NULL));
}

static int count_item(void* context, const void* key, size_t key_bytes, const void* value,
                      size_t value_bytes) {
  CHECK(key_bytes == 4 && value_bytes == 4 && memcmp(key, value, 4) == 0);
  ++*(int*)context;
  return 0;
}

static void visits(void) {
  far_map* map;
  far_ptr sum;
  uint64_t all;
  int i, here = 0;
  OK(far_map_create(&map));
  OK(far_allocate(8, &sum));
  OK(far_barrier());
  for (i = far_rank(); i < 1000; i += far_size()) OK(far_map_put(map, &i, 4, &i, 4, NULL));
  OK(far_barrier());
  OK(far_map_visit_local(map, count_item, &here));
  OK(far_atomic(far_ptr_on(sum, 0), 8, FAR_ADD, (uint64_t)here, 0, NULL));
  OK(far_barrier());
  OK(far_atomic(far_ptr_on(sum, 0), 8, FAR_LOAD, 0, 0, &all));
  CHECK(all == 1000);
  OK(far_barrier());
  OK(far_free(sum));
  OK(far_map_destroy(map));
}

static void queues(void) {
  static const size_t sizes[] = {8, 100, 500, 2000, 8188};
  static char sent[8188];
  far_queue* queue;
  const void* bytes;
  size_t count, s;
  int i, pushed;
  for (s = 0; s < 5; ++s) {
    OK(far_queue_create(far_size() - 1, 16, sizes[s], &queue));
    for (i = 0; i < 100; ++i) {
      memset(sent, i, sizes[s]);
      OK(far_queue_push(queue, sent, sizes[s] - (size_t)(i % 8)));
      OK(far_queue_pop(queue, &bytes, &count));
      CHECK(count <= sizes[s] && count + 7 >= sizes[s]);
      CHECK(((const char*)bytes)[0] == ((const char*)bytes)[count - 1]);
    }
    OK(far_barrier());
    OK(far_queue_try_pop(queue, &bytes, &count));
    CHECK(bytes == NULL);
    OK(far_barrier());
    if (far_rank() == 0) {
      for (pushed = 1, i = 0; pushed; ++i) OK(far_queue_try_push(queue, "", 0, &pushed));
      CHECK(i == 17);
      OK(far_queue_pop(queue, &bytes, &count));
      CHECK(bytes != NULL && count == 0);
      FAILS(FAR_BAD_ARGUMENT, "elements of up to", far_queue_push(queue, sent, sizes[s] + 1));
    }
    OK(far_barrier());
    OK(far_queue_destroy(queue));
  }
  FAILS(FAR_BAD_ARGUMENT, "8188", far_queue_create(0, 16, 8189, &queue));
  FAILS(FAR_BAD_ARGUMENT, "", far_queue_create(-1, 16, 8, &queue));
}

static void locks(void) {
  far_lock* lock;
  far_rw_lock* shared;
  far_ptr word;
  uint64_t value;
  int i, acquired;
  OK(far_lock_create(0, &lock));
  OK(far_rw_lock_create(&shared));
  OK(far_allocate(16, &word));
  OK(far_barrier());
  for (i = 0; i < 200; ++i) {
    OK(far_lock_acquire(lock, FAR_FOREVER, NULL));
    OK(far_get(&value, far_ptr_on(word, 0), 8));
    ++value;
    OK(far_put(far_ptr_on(word, 0), &value, 8));
    OK(far_lock_release(lock));
    OK(far_rw_lock_acquire(shared, i % 4 == 0 ? FAR_WRITE : FAR_READ, FAR_FOREVER, &acquired));
    CHECK(acquired == 1);
    OK(far_get(&value, far_ptr_plus(far_ptr_on(word, 0), 8), 8));
    ++value;
    if (i % 4 == 0) OK(far_put(far_ptr_plus(far_ptr_on(word, 0), 8), &value, 8));
    OK(far_rw_lock_release(shared, i % 4 == 0 ? FAR_WRITE : FAR_READ));
  }
  OK(far_barrier());
  OK(far_get(&value, far_ptr_on(word, 0), 8));
  CHECK(value == 200u * (uint64_t)far_size());
  OK(far_get(&value, far_ptr_plus(far_ptr_on(word, 0), 8), 8));
  CHECK(value == 50u * (uint64_t)far_size());
  OK(far_barrier());
  if (far_rank() == 0) OK(far_lock_acquire(lock, FAR_FOREVER, NULL));
  OK(far_barrier());
  if (far_rank() == 0) {
    FAILS(FAR_BAD_ARGUMENT, "holds the lock already", far_lock_acquire(lock, FAR_FOREVER, NULL));
    FAILS(FAR_BAD_ARGUMENT, "holds a lock", far_detach());
  } else {
    OK(far_lock_acquire(lock, 0, &acquired));
    CHECK(acquired == 0);
    OK(far_lock_acquire(lock, 1000000, &acquired));
    CHECK(acquired == 0);
    FAILS(FAR_BAD_ARGUMENT, "does not hold", far_lock_release(lock));
  }
  OK(far_barrier());
  if (far_rank() == 0) OK(far_lock_release(lock));
  FAILS(FAR_BAD_ARGUMENT, "does not hold", far_rw_lock_release(shared, FAR_READ));
  OK(far_barrier());
  OK(far_free(word));
  OK(far_rw_lock_destroy(shared));
  OK(far_lock_destroy(lock));
}

int main(void) {
  OK(far_join());
  maps();
  visits();
  queues();
  locks();
  OK(far_leave());
  return 0;
}
