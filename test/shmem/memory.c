/* Allocation: alignment, contents, exhaustion; several initializations; locks. */

#include "check.h"

static void test_blocks(void) {
  enum { many = 40 };
  char* blocks[many];
  for (int i = 0; i < many; ++i) {
    const size_t bytes = (size_t)(i * i + 1);
    switch (i % 4) {
      case 0:
        blocks[i] = shmem_malloc(bytes);
        break;
      case 1:
        blocks[i] = shmem_malloc_with_hints(bytes, SHMEM_MALLOC_ATOMICS_REMOTE);
        break;
      case 2:
        blocks[i] = shmem_calloc(bytes, 1);
        for (size_t k = 0; k < bytes; ++k) CHECK(blocks[i][k] == 0);
        break;
      default:
        blocks[i] = shmem_align((size_t)8 << i % 10, bytes);
        CHECK((uintptr_t)blocks[i] % ((size_t)8 << i % 10) == 0);
    }
    CHECK(blocks[i] != NULL);
    memset(blocks[i], i + 1, bytes);
  }
  shmem_barrier_all();
  for (int i = 0; i < many; ++i) {
    char value = 0;
    shmem_char_get(&value, blocks[i] + i * i, 1, next_pe());
    CHECK(value == i + 1);
  }
  for (int i = 0; i < many; i += 2) shmem_free(blocks[i]);
  for (int i = 1; i < many; i += 2) {
    blocks[i] = shmem_realloc(blocks[i], (size_t)(i * i + 1 + (i % 4 == 1 ? 1000 : -1)));
    CHECK(blocks[i] != NULL);
    for (int k = 0; k < i * i; ++k) CHECK(blocks[i][k] == i + 1);
  }
  shmem_barrier_all();
  for (int i = 1; i < many; i += 2) {
    char value = 0;
    shmem_char_get(&value, blocks[i] + i * i - 1, 1, next_pe());
    CHECK(value == i + 1);
  }
  for (int i = 1; i < many; i += 2) CHECK(shmem_realloc(blocks[i], 0) == NULL);
  CHECK(shmem_malloc(0) == NULL && shmem_calloc(0, 8) == NULL);
  shmem_free(NULL);
  CHECK(shmem_align(3, 8) == NULL && shmem_align(0, 8) == NULL);
  for (size_t alignment = 2; alignment <= (size_t)8 << 20; alignment *= 2) {
    char* const block = shmem_align(alignment, 10);
    CHECK(block != NULL && (uintptr_t)block % alignment == 0);
    char value = 0;
    shmem_char_get(&value, block + 9, 1, next_pe());
    CHECK(value == 0);
    shmem_free(block);
  }
  char* const made = shmem_realloc(NULL, 10);
  CHECK(made != NULL);
  shmem_free(made);
}

static void test_exhaustion(void) {
  CHECK(shmem_malloc((size_t)1 << 50) == NULL);
  CHECK(shmem_malloc(SIZE_MAX) == NULL);
  CHECK(shmem_calloc(SIZE_MAX / 2, 4) == NULL);
  char* const block = shmem_malloc(100);
  block[99] = 5;
  CHECK(shmem_realloc(block, (size_t)1 << 50) == NULL);
  CHECK(block[99] == 5); /* it is still there */
  shmem_free(block);
}

static void test_lock(void) {
  long* const lock = shmem_calloc(3, sizeof(long));
  long* const counts = shmem_calloc(3, sizeof(long));
  for (int i = 0; i < 300; ++i) {
    const int which = i % 3;
    shmem_set_lock(lock + which);
    const long seen = shmem_long_g(counts + which, 0);
    shmem_long_p(counts + which, seen + 1, 0);
    shmem_clear_lock(lock + which);
  }
  shmem_barrier_all();
  for (int i = 0; i < 3; ++i) CHECK(shmem_long_g(counts + i, 0) == 100L * shmem_n_pes());
  shmem_barrier_all();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    if (pe == shmem_my_pe()) CHECK(shmem_test_lock(lock) == 0);
    shmem_barrier_all();
    if (pe != shmem_my_pe()) CHECK(shmem_test_lock(lock) != 0);
    shmem_barrier_all();
    if (pe == shmem_my_pe()) shmem_clear_lock(lock);
    shmem_barrier_all();
  }
  for (int i = 0; i < 100; ++i) {
    while (shmem_test_lock(lock) != 0) {
    }
    shmem_long_p(counts, shmem_long_g(counts, 0) + 1, 0);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(counts, 0) == 200L * shmem_n_pes());
  shmem_barrier_all();
  shmem_free(lock);
  shmem_free(counts);
}

int main(void) {
  int is_initialized = 1;
  int provided = -1;
  int major = 0;
  int minor = 0;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_query_initialized(&is_initialized);
  CHECK(is_initialized == 0);
  CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) == 0);
  CHECK(provided == SHMEM_THREAD_FUNNELED);
  shmem_init(); /* counted */
  shmem_query_initialized(&is_initialized);
  CHECK(is_initialized == 1);
  shmem_query_thread(&provided);
  CHECK(provided == SHMEM_THREAD_FUNNELED);
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == 6 && strcmp(name, SHMEM_VENDOR_STRING) == 0);
  shmem_pcontrol(1);

  test_blocks();
  test_exhaustion();
  shmem_finalize();
  test_lock();
  shmem_finalize();
  shmem_query_initialized(&is_initialized);
  CHECK(is_initialized == 0);

  /* Again, as another job. */
  shmem_init();
  test_lock();
  test_blocks();
  shmem_finalize();
  return 0;
}
