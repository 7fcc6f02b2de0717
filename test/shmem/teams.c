/* Making, asking and destroying teams and contexts. */

#include "check.h"

/* Whether this PE is in the team of PEs start, start + stride, ..., and where. */
static void check_strided(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t made = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(parent, start, stride, size, NULL, 0, &made) == 0);
  int place = -1;
  for (int i = 0; i < size; ++i) {
    if (start + i * stride == shmem_team_my_pe(parent)) place = i;
  }
  CHECK((made == SHMEM_TEAM_INVALID) == (place < 0));
  CHECK(shmem_team_my_pe(made) == place);
  if (place >= 0) {
    CHECK(shmem_team_n_pes(made) == size);
    for (int i = 0; i < size; ++i) {
      CHECK(shmem_team_translate_pe(made, i, parent) == start + i * stride);
      CHECK(shmem_team_translate_pe(parent, start + i * stride, made) == i);
    }
    CHECK(shmem_team_sync(made) == 0);
    shmem_sync_all();
  } else {
    CHECK(shmem_team_n_pes(made) == -1);
    CHECK(shmem_team_translate_pe(parent, 0, made) == -1);
    shmem_sync_all();
  }
  shmem_team_destroy(made);
}

static void test_strided(void) {
  const int all = shmem_n_pes();
  check_strided(SHMEM_TEAM_WORLD, 0, 1, all);
  check_strided(SHMEM_TEAM_WORLD, all - 1, -1, all);
  check_strided(SHMEM_TEAM_WORLD, all - 1, 0, 1);
  check_strided(SHMEM_TEAM_WORLD, all / 2, 1, all - all / 2);
  check_strided(SHMEM_TEAM_WORLD, all - 1, -2, (all + 1) / 2);

  shmem_team_t evens = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (all + 1) / 2, NULL, 0, &evens) == 0);
  if (evens != SHMEM_TEAM_INVALID) {
    shmem_team_t last = SHMEM_TEAM_INVALID;
    const int n = shmem_team_n_pes(evens);
    CHECK(shmem_team_split_strided(evens, n - 1, -1, n, NULL, 0, &last) == 0);
    CHECK(shmem_team_my_pe(last) == n - 1 - shmem_team_my_pe(evens));
    CHECK(shmem_team_translate_pe(last, 0, SHMEM_TEAM_WORLD) == 2 * (n - 1));
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, last) == -1 || all == 1);
    shmem_team_destroy(last);
  }
  shmem_team_destroy(evens);

  shmem_team_t none = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, all + 1, NULL, 0, &none) != 0);
  CHECK(none == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, -1, 2, NULL, 0, &none) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 0, NULL, 0, &none) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &none) != 0);
  CHECK(shmem_team_sync(SHMEM_TEAM_INVALID) != 0);
  shmem_barrier_all();
}

static void test_2d(void) {
  const int all = shmem_n_pes();
  for (int width = 1; width <= all + 1; ++width) {
    shmem_team_t row = SHMEM_TEAM_INVALID;
    shmem_team_t column = SHMEM_TEAM_INVALID;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column) == 0);
    const int wide = width < all ? width : all;
    CHECK(shmem_team_my_pe(row) == shmem_my_pe() % wide);
    CHECK(shmem_team_my_pe(column) == shmem_my_pe() / wide);
    const int y = shmem_my_pe() / wide;
    CHECK(shmem_team_n_pes(row) == ((y + 1) * wide <= all ? wide : all - y * wide));
    CHECK(shmem_team_translate_pe(column, 0, SHMEM_TEAM_WORLD) == shmem_my_pe() % wide);
    shmem_team_sync(row);
    shmem_team_sync(column);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
  }
  shmem_team_t row = SHMEM_TEAM_WORLD;
  shmem_team_t column = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &row, NULL, 0, &column) != 0);
  CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID);
  shmem_barrier_all();
}

static void test_config(void) {
  shmem_team_t made = SHMEM_TEAM_INVALID;
  shmem_team_config_t config = {5};
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), &config,
                                 SHMEM_TEAM_NUM_CONTEXTS, &made) == 0);
  config.num_contexts = 0;
  CHECK(shmem_team_get_config(made, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0);
  CHECK(config.num_contexts == 5);
  CHECK(shmem_team_get_config(made, 0, NULL) == 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0);
  shmem_team_destroy(made);
}

/* Contexts of a team number its PEs; more of them than the fabric has. */
static void test_contexts(void) {
  enum { many = 100 };
  const int all = shmem_n_pes();
  long* const words = shmem_calloc(many, sizeof(long));
  shmem_team_t reverse = SHMEM_TEAM_INVALID;
  shmem_team_t team = SHMEM_TEAM_INVALID;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, all - 1, -1, all, NULL, 0, &reverse) == 0);
  shmem_ctx_t contexts[many];
  for (int i = 0; i < many; ++i) {
    const long options = (i & 1 ? SHMEM_CTX_PRIVATE : 0) | (i & 2 ? SHMEM_CTX_SERIALIZED : 0) |
                         (i & 4 ? SHMEM_CTX_NOSTORE : 0);
    CHECK(shmem_team_create_ctx(reverse, options, &contexts[i]) == 0);
    CHECK(shmem_ctx_get_team(contexts[i], &team) == 0 && team == reverse);
  }
  for (int i = 0; i < many; ++i) {
    shmem_ctx_session_start(contexts[i], SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_ctx_long_p(contexts[i], words + i, shmem_my_pe() + i + 1, all - 1 - next_pe());
    shmem_ctx_session_stop(contexts[i]);
  }
  for (int i = 0; i < many; ++i) shmem_ctx_quiet(contexts[i]);
  shmem_sync_all();
  for (int i = 0; i < many; ++i) CHECK(words[i] == previous_pe() + i + 1);
  for (int i = 0; i < many / 2; ++i) shmem_ctx_destroy(contexts[i]);
  shmem_team_destroy(reverse); /* and its other contexts */
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &contexts[0]) != 0);
  CHECK(contexts[0] == SHMEM_CTX_INVALID);
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
  shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
  shmem_ctx_session_stop(SHMEM_CTX_INVALID);
  shmem_free(words);
}

static void test_pointers(void) {
  long* const word = shmem_calloc(1, sizeof(long));
  long automatic = 0;
  int near = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    long* const there = shmem_ptr(word, pe);
    const int place = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
    CHECK((there == NULL) == (place < 0));
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, word, pe) == there);
    if (there == NULL) continue;
    ++near;
    CHECK(shmem_team_ptr(SHMEM_TEAM_SHARED, word, place) == there);
    if (pe == next_pe()) *there = 7 + shmem_my_pe();
  }
  CHECK(near == shmem_team_n_pes(SHMEM_TEAM_SHARED));
  CHECK(shmem_ptr(word, shmem_my_pe()) == word);
  shmem_barrier_all();
  CHECK(*word == 7 + previous_pe() || shmem_ptr(word, previous_pe()) == NULL);
  CHECK(shmem_ptr(&automatic, 0) == NULL && shmem_ptr(word, shmem_n_pes()) == NULL);
  CHECK(shmem_addr_accessible(word, shmem_n_pes() - 1) == 1);
  CHECK(shmem_addr_accessible(&automatic, 0) == 0);
  CHECK(shmem_addr_accessible(word, -1) == 0);
  CHECK(shmem_pe_accessible(0) == 1 && shmem_pe_accessible(shmem_n_pes()) == 0);
  CHECK(shmem_pe_accessible(-1) == 0);
  shmem_free(word);
}

int main(void) {
  shmem_init();
  test_strided();
  test_2d();
  test_config();
  test_contexts();
  test_pointers();
  shmem_finalize();
  return 0;
}
