/* Memory, transfers, lists of them, atomic words. */
#include "check.h"

static uint64_t words[1000];

static void transfers(far_ptr memory) {
  const int next = (far_rank() + 1) % far_size();
  uint64_t i;
  uint64_t* own;
  for (i = 0; i < 1000; ++i) words[i] = (uint64_t)far_rank() * 1000 + i;
  OK(far_put(far_ptr_on(memory, next), words, sizeof(words)));
  OK(far_barrier());
  OK(far_local(memory, sizeof(words), (void**)&own));
  for (i = 0; i < 1000; ++i) CHECK(own[i] == (uint64_t)((far_rank() + far_size() - 1) % far_size()) * 1000 + i);
  memset(words, 0, sizeof(words));
  OK(far_get(words, far_ptr_on(memory, next), sizeof(words)));
  for (i = 0; i < 1000; ++i) CHECK(words[i] == (uint64_t)far_rank() * 1000 + i);
  OK(far_barrier());
}

static void lists(far_ptr memory) {
  far_part parts[3];
  far_operation* operation;
  int i, done = 0;
  uint64_t values[3] = {7, 8, 9};
  const far_ptr theirs = far_ptr_on(memory, (far_rank() + 1) % far_size());
  for (i = 0; i < 3; ++i) {
    parts[i].remote = far_ptr_plus(theirs, 64 * (i + 1));
    parts[i].local = &values[i];
    parts[i].bytes = 8;
  }
  OK(far_start_put(parts, 3, &operation));
  while (!done) OK(far_test(operation, &done));
  OK(far_wait(operation));
  OK(far_flush(-1));
  memset(values, 0, sizeof(values));
  OK(far_start_get(parts, 3, &operation));
  OK(far_wait(operation));
  for (i = 0; i < 3; ++i) CHECK(values[i] == (uint64_t)(7 + i));
  OK(far_wait(NULL));
  OK(far_barrier());
}

static void atomics(far_ptr memory) {
  const far_ptr word = far_ptr_on(memory, 0);
  const far_ptr half = far_ptr_plus(word, 8);
  uint64_t old = 0;
  int i;
  if (far_rank() == 0) {
    OK(far_atomic(word, 8, FAR_STORE, 0, 0, NULL));
    OK(far_atomic(half, 4, FAR_STORE, 0xffffffffu, 0, NULL));
  }
  OK(far_barrier());
  for (i = 0; i < 1000; ++i) OK(far_atomic(word, 8, FAR_ADD, 1, 0, NULL));
  OK(far_barrier());
  OK(far_atomic(word, 8, FAR_LOAD, 0, 0, &old));
  CHECK(old == (uint64_t)far_size() * 1000);
  OK(far_barrier());
  if (far_rank() == far_size() - 1) {
    OK(far_atomic(word, 8, FAR_COMPARE_EXCHANGE, 5, 1, &old));
    CHECK(old == (uint64_t)far_size() * 1000);
    OK(far_atomic(word, 8, FAR_COMPARE_EXCHANGE, 5, old, NULL));
    OK(far_atomic(word, 8, FAR_OR, 8, 0, &old));
    CHECK(old == 5);
    OK(far_atomic(word, 8, FAR_AND, 12, 0, &old));
    CHECK(old == 13);
    OK(far_atomic(word, 8, FAR_XOR, 1, 0, &old));
    CHECK(old == 12);
    OK(far_atomic(word, 8, FAR_EXCHANGE, 3, 0, &old));
    CHECK(old == 13);
    OK(far_atomic(half, 4, FAR_ADD, 2, 0, &old));
    CHECK(old == 0xffffffffu);
    OK(far_atomic(half, 4, FAR_LOAD, 0, 0, &old));
    CHECK(old == 1);
  }
  OK(far_barrier());
}

static void mistakes(far_ptr memory) {
  void* place;
  FAILS(FAR_OUT_OF_BOUNDS, "", far_put(far_ptr_plus(memory, (int64_t)1 << 38), words, 8));
  FAILS(FAR_BAD_ARGUMENT, "null", far_put(memory, NULL, 8));
  FAILS(FAR_BAD_ARGUMENT, "4 or 8", far_atomic(memory, 2, FAR_ADD, 1, 0, NULL));
  FAILS(FAR_BAD_ARGUMENT, "aligned", far_atomic(far_ptr_plus(memory, 2), 8, FAR_ADD, 1, 0, NULL));
  FAILS(FAR_BAD_ARGUMENT, "no atomic operation 99",
        far_atomic(memory, 8, 99, 1, 0, NULL));
  FAILS(FAR_BAD_ARGUMENT, "no rank 1000", far_flush(1000));
  FAILS(FAR_BAD_ARGUMENT, "", far_free_here(memory));
  if (far_size() > 1) {
    FAILS(FAR_BAD_ARGUMENT, "",
          far_local(far_ptr_on(memory, (far_rank() + 1) % far_size()), 8, &place));
  }
}

int main(void) {
  far_ptr memory, own;
  OK(far_join());
  OK(far_allocate(sizeof(words), &memory));
  CHECK(far_ptr_rank(memory) == far_rank());
  OK(far_barrier());
  transfers(memory);
  lists(memory);
  atomics(memory);
  mistakes(memory);
  OK(far_allocate_here(100, &own));
  OK(far_free_here(own));
  OK(far_barrier());
  OK(far_free(memory));
  OK(far_leave());
  return 0;
}
