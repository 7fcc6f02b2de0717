/* Single elements, counters, mutexes, groups of processes, selections and messages. */

#include <string.h>

#include "ga_check.h"

enum { ELEMENTS = 700 };

/* Subscripts that differ between ranks, and no two of which are equal. */
static void subscripts(int* flat, int** rows, int columns) {
  for (int k = 0; k < ELEMENTS; ++k) {
    int place = (me * ELEMENTS + k) * 11 % (4 * ELEMENTS);
    flat[2 * k] = place / columns;
    flat[2 * k + 1] = place % columns;
    rows[k] = flat + 2 * k;
  }
}

static void gather_scatter(void) {
  int dims[2] = {70, 40};
  static int flat[2 * ELEMENTS];
  static int* rows[ELEMENTS];
  static double values[ELEMENTS];
  double alpha = 2, sum = 0;
  int array = NGA_Create(C_DBL, 2, dims, "elements", NULL);
  GA_Zero(array);
  subscripts(flat, rows, dims[1]);
  for (int k = 0; k < ELEMENTS; ++k) values[k] = k % 50 + 100 * me;
  GA_Sync();
  NGA_Scatter(array, values, rows, ELEMENTS);
  report("scattered", array);
  NGA_Scatter_acc(array, values, rows, ELEMENTS, &alpha);
  GA_Sync();
  /* All ranks add to the same elements. */
  for (int k = 0; k < ELEMENTS; ++k) flat[2 * k] = k % 70, flat[2 * k + 1] = k % 40;
  NGA_Scatter_acc(array, values, rows, 280, &alpha);
  report("added", array);
  memset(values, 0, sizeof values);
  NGA_Gather(array, values, rows, ELEMENTS);
  for (int k = 0; k < ELEMENTS; ++k) sum += values[k] * (k % 11);
  GA_Dgop(&sum, 1, "+");
  say("gathered %.17g\n", sum);
  GA_Destroy(array);
}

static void counters(void) {
  int dims[1] = {100}, place[1] = {0}, array = NGA_Create(C_LONG, 1, dims, "counters", NULL);
  int ints = NGA_Create(C_INT, 1, dims, "ints", NULL);
  long seen = 0;
  GA_Zero(array), GA_Zero(ints);
  for (int i = 0; i < 1000; ++i) {
    place[0] = i % 100;
    seen += NGA_Read_inc(array, place, 3);
    seen += NGA_Read_inc(ints, place, 2);
  }
  GA_Lgop(&seen, 1, "+");
  report("counters", array);
  report("ints", ints);
  say("seen %ld\n", seen);
  GA_Destroy(array), GA_Destroy(ints);
}

static void mutexes(void) {
  int dims[1] = {16}, array = NGA_Create(C_DBL, 1, dims, "guarded", NULL);
  int made = GA_Create_mutexes(5);
  GA_Zero(array);
  GA_Sync();
  for (int i = 0; i < 200; ++i) {
    int lo[1] = {i % 5 * 3}, hi[1] = {i % 5 * 3}, ld[1] = {1};
    double value;
    GA_Lock(i % 5);
    NGA_Get(array, lo, hi, &value, ld);
    value += 1;
    NGA_Put(array, lo, hi, &value, ld);
    GA_Init_fence();
    GA_Fence();
    GA_Unlock(i % 5);
  }
  report("guarded", array);
  say("mutexes made %d, destroyed %d\n", made, GA_Destroy_mutexes());
  GA_Destroy(array);
}

/* The ranks in two groups, each with an array of its own. */
static void groups(void) {
  int half = (procs + 1) / 2, list[64], count = 0, dims[2] = {20, 30}, which = me >= half;
  if (procs == 1) half = 1;
  for (int r = which ? half : 0; r < (which ? procs : half); ++r) list[count++] = r;
  int group = GA_Pgroup_create(list, count);
  int rank = GA_Pgroup_nodeid(group), size = GA_Pgroup_nnodes(group);
  double sum = me, value = 10 + which, all[2] = {0, 0};
  GA_Pgroup_dgop(group, &sum, 1, "+");
  int array = GA_Create_handle();
  GA_Set_data(array, 2, dims, C_DBL);
  GA_Set_pgroup(array, group);
  GA_Allocate(array);
  GA_Fill(array, &value);
  GA_Pgroup_sync(group);
  int lo[2] = {0, 0}, hi[2] = {19, 29}, ld[1] = {30};
  static double buffer[20 * 30];
  for (int i = 0; i < 600; ++i) buffer[i] = 1;
  NGA_Acc(array, lo, hi, buffer, ld, &value);
  GA_Pgroup_sync(group);
  if (rank == 0) {
    NGA_Get(array, lo, hi, buffer, ld);
    for (int i = 0; i < 600; ++i) all[which] += buffer[i];
  }
  GA_Pgroup_brdcst(group, &value, sizeof value, 0);
  /* Arrays of the default group. */
  GA_Pgroup_set_default(group);
  int inner = NGA_Create(C_DBL, 2, dims, "inner", NULL);
  GA_Fill(inner, &sum);
  double dot = GA_Ddot(inner, inner);
  GA_Destroy(inner);
  GA_Pgroup_set_default(GA_Pgroup_get_world());
  GA_Destroy(array);
  GA_Dgop(all, 2, "+");
  dot = dot * size;
  GA_Dgop(&dot, 1, "+");
  say("groups: first has %d ranks, sums %.17g and %.17g, dots %.17g\n", half, all[0], all[1], dot);
  GA_Sync();
  GA_Pgroup_destroy(group);
}

static void selections(void) {
  int dims[2] = {33, 21}, place[2], array = NGA_Create(C_DBL, 2, dims, "selected", NULL);
  double value = 1, big = 77, small = -5;
  GA_Fill(array, &value);
  int lo[2] = {12, 20}, ld[1] = {1};
  if (me == procs - 1) NGA_Put(array, lo, lo, &big, ld);
  lo[0] = 31, lo[1] = 4;
  if (me == 0) NGA_Put(array, lo, lo, &small, ld);
  GA_Sync();
  NGA_Select_elem(array, "max", &value, place);
  say("max %.17g at %d, %d\n", value, place[0], place[1]);
  NGA_Select_elem(array, "min", &value, place);
  say("min %.17g at %d, %d\n", value, place[0], place[1]);
  GA_Destroy(array);
}

static void messages(void) {
  double values[3] = {me + 1, -me, 2};
  long longs[2] = {me, 100 - me};
  int ints[2] = {me + 1, 1};
  float floats[1] = {(float)me + 0.5f};
  char text[8] = "";
  if (me == procs - 1) strcpy(text, "hello");
  GA_Brdcst(text, sizeof text, procs - 1);
  GA_Dgop(values, 3, "*");
  GA_Lgop(longs, 2, "max");
  GA_Igop(ints, 2, "+");
  GA_Fgop(floats, 1, "min");
  say("%s %.17g %.17g %.17g %ld %ld %d %d %g\n", text, values[0], values[1], values[2], longs[0],
      longs[1], ints[0], ints[1], floats[0]);
  say("nodes %d, of rank 0 %d, ranks there %d\n", GA_Cluster_nnodes(), GA_Cluster_proc_nodeid(0),
      GA_Cluster_nprocs(0));
}

/* Arrays that come and go, and one of which a rank has nothing. */
static void memory(void) {
  for (int i = 0; i < 30; ++i) {
    int dims[1] = {i % 3 == 0 ? 1 : 1000 * i}, a = NGA_Create(C_DBL, 1, dims, "come and go", NULL);
    double value = i;
    GA_Fill(a, &value);
    if (i % 7 == 0) report("come and go", a);
    GA_Destroy(a);
  }
  void* local = GA_Getmem(C_DBL, 100 * (me + 1), 0);
  say("memory %d\n", local != NULL);
  GA_Freemem(local);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  gather_scatter();
  counters();
  mutexes();
  groups();
  selections();
  messages();
  memory();
  return end();
}
