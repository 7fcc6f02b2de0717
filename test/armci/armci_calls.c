/* ARMCI's memory, transfers, atomics and mutexes, without Global Arrays. */

#include "armci_check.h"

/* A block on each rank, of sizes that differ, and of no bytes on the last of several. */
static void memory(void) {
  void** places = malloc(sizeof(void*) * (size_t)procs);
  long bytes = procs > 1 && me == procs - 1 ? 0 : 1000 + 100 * me;
  CHECK(ARMCI_Malloc(places, bytes) == 0);
  CHECK((places[me] == NULL) == (bytes == 0));
  if (bytes > 0) memset(places[me], me, (size_t)bytes);
  ARMCI_Barrier();
  for (int r = 0; r < procs - (procs > 1); ++r) {
    char seen[10];
    ARMCI_Get((char*)places[r] + 990 + 100 * r, seen, 10, r);
    CHECK(seen[0] == r && seen[9] == r);
  }
  ARMCI_Barrier();
  CHECK(ARMCI_Free(places[me]) == 0);
  void* local = ARMCI_Malloc_local(77);
  CHECK(local != NULL);
  memset(local, 1, 77);
  CHECK(ARMCI_Free_local(local) == 0);
  free(places);
}

static void contiguous(double** x) {
  double own[4] = {me, 2, 3, 4}, seen[4], scale = 0.5;
  int i;
  ARMCI_Put(own, x[right()], sizeof own, right());
  ARMCI_Barrier();
  CHECK(x[me][0] == left() && x[me][3] == 4);
  ARMCI_Barrier();
  ARMCI_Acc(ARMCI_ACC_DBL, &scale, own, x[0], sizeof own, 0);
  ARMCI_Barrier();
  ARMCI_Get(x[0], seen, sizeof seen, 0);
  CHECK(seen[1] == 2 + procs && seen[3] == 4 + 2 * procs);
  ARMCI_Barrier();
  /* To itself. */
  ARMCI_Put(own, x[me] + 4, sizeof own, me);
  ARMCI_Get(x[me] + 4, seen, sizeof own, me);
  for (i = 0; i < 4; ++i) CHECK(seen[i] == own[i] && x[me][4 + i] == own[i]);
  ARMCI_Barrier();
  ARMCI_PutValueInt(me, x[right()], right());
  ARMCI_PutValueLong(me + 1L, &x[right()][1], right());
  ARMCI_PutValueFloat(me + 0.5f, &x[right()][2], right());
  ARMCI_PutValueDouble(me + 0.25, &x[right()][3], right());
  ARMCI_Fence(right());
  CHECK(ARMCI_GetValueInt(x[right()], right()) == me);
  CHECK(ARMCI_GetValueLong(&x[right()][1], right()) == me + 1);
  CHECK(ARMCI_GetValueFloat(&x[right()][2], right()) == me + 0.5f);
  CHECK(ARMCI_GetValueDouble(&x[right()][3], right()) == me + 0.25);
  ARMCI_Barrier();
}

/* A 3-dimensional section of bytes with gaps on both sides, compared byte by byte. */
static void strided(double** x) {
  enum { ROW = 5, ROWS = 4, PLANES = 3 };
  unsigned char from[PLANES * 40], to[PLANES * 60];
  int from_strides[2] = {8, 40}, to_strides[2] = {16, 128}, back_strides[2] = {11, 60};
  int count[3] = {ROW, ROWS, PLANES}, i, j, k;
  for (i = 0; i < (int)sizeof from; ++i) from[i] = (unsigned char)(i + me);
  memset(x[me], 0xee, 1024);
  ARMCI_Barrier();
  ARMCI_PutS(from, from_strides, x[right()], to_strides, count, 2, right());
  ARMCI_Barrier();
  for (k = 0; k < PLANES; ++k) {
    for (j = 0; j < 8; ++j) {
      for (i = 0; i < 16; ++i) {
        unsigned char seen = ((unsigned char*)x[me])[k * 128 + j * 16 + i];
        int inside = j < ROWS && i < ROW;
        CHECK(seen == (inside ? (unsigned char)(k * 40 + j * 8 + i + left()) : 0xee));
      }
    }
  }
  memset(to, 0x11, sizeof to);
  ARMCI_GetS(x[right()], to_strides, to, back_strides, count, 2, right());
  for (k = 0; k < PLANES; ++k) {
    for (j = 0; j < ROWS; ++j) {
      CHECK(memcmp(to + k * 60 + j * 11, from + k * 40 + j * 8, ROW) == 0);
      CHECK(to[k * 60 + j * 11 + ROW] == 0x11);
    }
  }
  char dense[ROW * ROWS * PLANES];
  unsigned char again[PLANES * 40];
  memset(again, 0, sizeof again);
  armci_write_strided(from, 2, from_strides, count, dense);
  armci_read_strided(again, 2, from_strides, count, dense);
  for (k = 0; k < PLANES; ++k) {
    for (j = 0; j < ROWS; ++j) {
      CHECK(memcmp(dense + (k * ROWS + j) * ROW, from + k * 40 + j * 8, ROW) == 0);
      CHECK(memcmp(again + k * 40 + j * 8, from + k * 40 + j * 8, ROW) == 0);
    }
  }
  ARMCI_Barrier();
}

/* All ranks add to rank 0's section at once, in every type. */
static void accumulate(double** x) {
  int types[6] = {ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT,
                  ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP};
  int bytes[6] = {4, 8, 4, 8, 8, 16}, t, i, round;
  for (t = 0; t < 6; ++t) {
    long storage[6 * 2 * 2] = {0}, scale_storage[2] = {0};
    int from_stride[1] = {bytes[t] * 2}, to_stride[1] = {bytes[t] * 5}, count[2] = {0, 3};
    count[0] = bytes[t] * 2;
    for (i = 0; i < 6; ++i) {
      if (t == 0) ((int*)storage)[i] = i;
      if (t == 1) storage[i] = i;
      if (t == 2) ((float*)storage)[i] = (float)i;
      if (t == 3) ((double*)storage)[i] = i;
      if (t == 4) ((float*)storage)[2 * i] = (float)i, ((float*)storage)[2 * i + 1] = 1;
      if (t == 5) ((double*)storage)[2 * i] = i, ((double*)storage)[2 * i + 1] = 1;
    }
    if (t == 0) *(int*)scale_storage = 2;
    if (t == 1) scale_storage[0] = 2;
    if (t == 2) *(float*)scale_storage = 2;
    if (t == 3) *(double*)scale_storage = 2;
    if (t == 4) ((float*)scale_storage)[0] = 2, ((float*)scale_storage)[1] = 1;
    if (t == 5) ((double*)scale_storage)[0] = 2, ((double*)scale_storage)[1] = 1;
    if (me == 0) memset(x[0], 0, 1024);
    ARMCI_Barrier();
    for (round = 0; round < 20; ++round) {
      ARMCI_AccS(types[t], scale_storage, storage, from_stride, x[0], to_stride, count, 1, 0);
    }
    ARMCI_Barrier();
    if (me == 0) {
      for (i = 0; i < 6; ++i) {
        char* at = (char*)x[0] + (i / 2 * 5 + i % 2) * bytes[t];
        double times = 20.0 * procs;
        if (t == 0) CHECK(*(int*)at == 2 * i * 20 * procs);
        if (t == 1) CHECK(*(long*)at == 2L * i * 20 * procs);
        if (t == 2) CHECK(*(float*)at == (float)(2 * i * times));
        if (t == 3) CHECK(*(double*)at == 2 * i * times);
        if (t == 4) CHECK(((float*)at)[0] == (float)((2 * i - 1) * times));
        if (t == 4) CHECK(((float*)at)[1] == (float)((i + 2) * times));
        if (t == 5) CHECK(((double*)at)[0] == (2 * i - 1) * times);
        if (t == 5) CHECK(((double*)at)[1] == (i + 2) * times);
      }
    }
    ARMCI_Barrier();
  }
}

static void vectors(double** x) {
  enum { SEGMENTS = 40 };
  double from[SEGMENTS * 2], to[SEGMENTS * 2], scale = 3;
  void *sources[SEGMENTS], *targets[SEGMENTS], *places[SEGMENTS];
  armci_giov_t list[2];
  int i;
  for (i = 0; i < SEGMENTS; ++i) {
    from[2 * i] = i + me, from[2 * i + 1] = -1;
    sources[i] = &from[2 * i];
    places[i] = &x[right()][(i * 7) % SEGMENTS * 3];
    targets[i] = &to[2 * (SEGMENTS - 1 - i)];
  }
  memset(x[me], 0, SEGMENTS * 3 * 8);
  list[0] = (armci_giov_t){sources, places, 8, SEGMENTS / 2};
  list[1] = (armci_giov_t){sources + SEGMENTS / 2, places + SEGMENTS / 2, 16, SEGMENTS / 2};
  ARMCI_Barrier();
  ARMCI_PutV(list, 2, right());
  ARMCI_AccV(ARMCI_ACC_DBL, &scale, list, 2, right());
  ARMCI_Fence(right());
  list[0] = (armci_giov_t){places, targets, 16, SEGMENTS};
  ARMCI_GetV(list, 1, right());
  for (i = 0; i < SEGMENTS; ++i) {
    CHECK(*(double*)targets[i] == 4 * (i + me));
    CHECK(((double*)targets[i])[1] == (i < SEGMENTS / 2 ? 0 : -4));
  }
  ARMCI_Barrier();
}

static void non_blocking(double** x) {
  double own[64], seen[64], scale = 1;
  int strides[1] = {16}, dense[1] = {8}, count[2] = {8, 8}, i;
  armci_hdl_t one, many;
  for (i = 0; i < 64; ++i) own[i] = me * 100 + i;
  memset(x[me], 0, sizeof own);
  ARMCI_Barrier();
  ARMCI_INIT_HANDLE(&one);
  ARMCI_INIT_HANDLE(&many);
  CHECK(ARMCI_NbPut(own, x[right()], sizeof own, right(), &one) == 0);
  CHECK(ARMCI_Wait(&one) == 0);
  CHECK(ARMCI_Test(&one) == 0);
  ARMCI_Fence(right());
  CHECK(ARMCI_NbGet(x[right()], seen, sizeof seen, right(), &one) == 0);
  while (ARMCI_Test(&one) != 0) continue;
  ARMCI_Wait(&one);
  CHECK(memcmp(own, seen, sizeof own) == 0);
  memset(seen, 0, sizeof seen);
  ARMCI_SET_AGGREGATE_HANDLE(&many);
  for (i = 0; i < 4; ++i) {
    ARMCI_NbGetS(&x[right()][16 * i], strides, &seen[8 * i], dense, count, 1, right(), &many);
  }
  ARMCI_UNSET_AGGREGATE_HANDLE(&many);
  ARMCI_Wait(&many);
  for (i = 0; i < 24; ++i) CHECK(seen[i] == own[2 * i]);
  ARMCI_Barrier();
  ARMCI_NbAccS(ARMCI_ACC_DBL, &scale, own, dense, x[right()], strides, count, 1, right(), NULL);
  ARMCI_NbPutS(own, dense, &x[right()][32], strides, count, 1, right(), NULL);
  ARMCI_WaitAll();
  ARMCI_WaitProc(right());
  ARMCI_AllFence();
  ARMCI_Barrier();
  for (i = 0; i < 8; ++i) {
    CHECK(x[me][2 * i] == left() * 200 + 3 * i);
    CHECK(x[me][32 + 2 * i] == left() * 100 + i);
  }
  ARMCI_Barrier();
}

static void atomics_and_mutexes(double** x) {
  int* ints = (int*)x[0];
  long* longs = (long*)x[0] + 4;
  long old_long = 0, sum = 0;
  int old = 0, mine, i;
  if (me == 0) memset(x[0], 0, 256);
  ARMCI_Barrier();
  for (i = 0; i < 100; ++i) {
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, ints, 2, 0);
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old_long, longs, 5, 0);
    sum += old;
    CHECK(old % 2 == 0 && old_long % 5 == 0);
  }
  armci_msg_lgop(&sum, 1, "+");
  CHECK(sum == 100L * procs * (100L * procs - 1));
  ARMCI_Barrier();
  CHECK(ARMCI_GetValueInt(ints, 0) == 200 * procs && ARMCI_GetValueLong(longs, 0) == 500 * procs);
  ARMCI_Barrier();
  /* Each value that was swapped in comes out once. */
  mine = me + 1, old_long = me + 1;
  ARMCI_Rmw(ARMCI_SWAP, &mine, ints + 1, 0, 0);
  ARMCI_Rmw(ARMCI_SWAP_LONG, &old_long, longs + 1, 0, 0);
  sum = mine + old_long;
  armci_msg_lgop(&sum, 1, "+");
  ARMCI_Barrier();
  sum += ARMCI_GetValueInt(ints + 1, 0) + ARMCI_GetValueLong(longs + 1, 0);
  CHECK(sum == procs * (procs + 1));
  ARMCI_Barrier();
  /* Each rank keeps another number of mutexes; those guard a word of rank 0 each. */
  CHECK(ARMCI_Create_mutexes(me + 1) == 0);
  for (i = 0; i < 100; ++i) {
    int keeper = i % procs, value;
    ARMCI_Lock(keeper, keeper);
    ARMCI_Get(ints + 20 + keeper, &value, sizeof value, 0);
    ++value;
    ARMCI_Put(&value, ints + 20 + keeper, sizeof value, 0);
    ARMCI_Fence(0);
    ARMCI_Unlock(keeper, keeper);
  }
  ARMCI_Barrier();
  for (i = 0, sum = 0; i < procs; ++i) sum += ARMCI_GetValueInt(ints + 20 + i, 0);
  CHECK(sum == 100 * procs);
  CHECK(ARMCI_Destroy_mutexes() == 0);
}

static void flags(double** x) {
  int* flag = (int*)x[me] + 100;
  double own[8], seen;
  int strides[1] = {16}, dense[1] = {8}, count[2] = {8, 8}, i;
  memset(x[me], 0, 1024);
  for (i = 0; i < 8; ++i) own[i] = me + i;
  ARMCI_Barrier();
  ARMCI_PutS_flag(own, dense, x[right()], strides, count, 1, (int*)x[right()] + 100, 7, right());
  do {
    i = ARMCI_GetValueInt(flag, me);
  } while (i != 7);
  ARMCI_Get(x[me] + 14, &seen, sizeof seen, me);
  CHECK(seen == left() + 7);
  ARMCI_Barrier();
  ARMCI_Put_flag(own, x[right()], sizeof own, (int*)x[right()] + 100, 8, right());
  do {
    i = ARMCI_GetValueInt(flag, me);
  } while (i != 8);
  ARMCI_Get(x[me] + 7, &seen, sizeof seen, me);
  CHECK(seen == left() + 7);
  ARMCI_Barrier();
}

/* A buffer of more than 2 GB, had the section any planes. */
static void no_planes(void) {
  int strides[2] = {65536, 65536}, count[3] = {65536, 40000, 0};
  char section = 1, buffer = 2;
  armci_write_strided(&section, 2, strides, count, &buffer);
  armci_read_strided(&section, 2, strides, count, &buffer);
  CHECK(section == 1 && buffer == 2);
}

/* Handles that nobody waits for by their names. */
static void many_handles(double** x) {
  double own[64], seen[64];
  armci_hdl_t one, other;
  int i;
  for (i = 0; i < 64; ++i) own[i] = me * 1000 + i;
  ARMCI_Barrier();
  for (i = 0; i < 1000; ++i) {
    ARMCI_INIT_HANDLE(&one);
    ARMCI_INIT_HANDLE(&other);
    ARMCI_NbPut(own, x[right()], sizeof own, right(), &one);
    ARMCI_NbPut(own, x[right()] + 64, sizeof own, right(), &other);
    ARMCI_WaitProc(right());
    CHECK(ARMCI_Test(&one) == 0);
  }
  ARMCI_Wait(&other);
  ARMCI_Get(x[right()] + 64, seen, sizeof seen, right());
  CHECK(memcmp(own, seen, sizeof own) == 0);
  ARMCI_Barrier();
}

int main(int argc, char** argv) {
  double** x;
  begin(argc, argv);
  CHECK(ARMCI_Init_args(&argc, &argv) == 0); /* counted */
  CHECK(ARMCI_Finalize() == 0);
  CHECK(ARMCI_Initialized() == 1);
  x = malloc(sizeof(double*) * (size_t)procs);
  ARMCI_Malloc((void**)x, 4096);
  memory();
  contiguous(x);
  strided(x);
  accumulate(x);
  vectors(x);
  non_blocking(x);
  atomics_and_mutexes(x);
  flags(x);
  no_planes();
  many_handles(x);
  ARMCI_Free(x[me]);
  free(x);
  return end();
}
