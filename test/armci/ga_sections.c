/* Sections of arrays: put, get and accumulate, blocking and not, strided, periodic, irregular,
 * ghosts. */

#include "ga_check.h"

/* Each rank puts, adds to and reads sections of a 2-dimensional array of any type. */
static void two_dimensions(int type, const char* name) {
  int dims[2] = {61, 83}, chunk[2] = {-1, -1}, lo[2], hi[2], ld[1];
  static long buffer[2 * 61 * 83];
  int array = NGA_Create(type, 2, dims, "a", chunk);
  GA_Zero(array);
  lo[0] = 0, hi[0] = dims[0] - 1;
  lo[1] = me * dims[1] / procs, hi[1] = (me + 1) * dims[1] / procs - 1;
  ld[0] = hi[1] - lo[1] + 1;
  for (int i = 0; i < (hi[0] + 1) * ld[0]; ++i) {
    int value = (i * 7 + lo[1] * 3) % 101;
    if (type == C_INT) ((int*)buffer)[i] = value;
    if (type == C_LONG) ((long*)buffer)[i] = value;
    if (type == C_FLOAT) ((float*)buffer)[i] = (float)value;
    if (type == C_DBL) ((double*)buffer)[i] = value;
    if (type == C_SCPL) ((float*)buffer)[2 * i] = (float)value, ((float*)buffer)[2 * i + 1] = 1;
    if (type == C_DCPL) ((double*)buffer)[2 * i] = value, ((double*)buffer)[2 * i + 1] = 2;
  }
  GA_Sync();
  NGA_Put(array, lo, hi, buffer, ld);
  GA_Sync();
  report(name, array);

  /* All ranks add to the same section at once. */
  int alpha_int = 3;
  long alpha_long = 3;
  float alpha_float[2] = {2, 1};
  double alpha_double[2] = {2, 1};
  void* alpha = type == C_INT                       ? (void*)&alpha_int
                : type == C_LONG                    ? (void*)&alpha_long
                : type == C_FLOAT || type == C_SCPL ? (void*)alpha_float
                                                    : (void*)alpha_double;
  lo[0] = 5, hi[0] = 50, lo[1] = 7, hi[1] = 71, ld[0] = hi[1] - lo[1] + 1;
  for (int i = 0; i < 46 * 65; ++i) {
    if (type == C_INT) ((int*)buffer)[i] = i % 5;
    if (type == C_LONG) ((long*)buffer)[i] = i % 5;
    if (type == C_FLOAT) ((float*)buffer)[i] = (float)(i % 5);
    if (type == C_DBL) ((double*)buffer)[i] = i % 5;
    if (type == C_SCPL) ((float*)buffer)[2 * i] = (float)(i % 5), ((float*)buffer)[2 * i + 1] = 3;
    if (type == C_DCPL) ((double*)buffer)[2 * i] = i % 5, ((double*)buffer)[2 * i + 1] = 4;
  }
  for (int round = 0; round < 10; ++round) NGA_Acc(array, lo, hi, buffer, ld, alpha);
  report(name, array);
  GA_Destroy(array);
}

/* Sections of 1 to 7 dimensions with an odd extent in each. */
static void many_dimensions(void) {
  for (int n = 1; n <= 7; ++n) {
    int dims[7], lo[7], hi[7], ld[7], count = 1, skip[7], widths[7];
    for (int d = 0; d < n; ++d) dims[d] = n > 4 ? 4 + d % 2 : 9 + d;
    int array = NGA_Create(C_DBL, n, dims, "n", NULL);
    GA_Zero(array);
    for (int d = 0; d < n; ++d) {
      lo[d] = (me + d) % 2, hi[d] = dims[d] - 1 - (me + d) % 3 % 2;
      widths[d] = hi[d] - lo[d] + 1;
      if (d > 0) ld[d - 1] = widths[d] + d % 2; /* rows of the buffer have a gap */
      skip[d] = 1 + d % 2;
    }
    for (int d = 0; d < n; ++d) count *= d > 0 ? ld[d - 1] : widths[0];
    double* buffer = malloc((size_t)count * sizeof(double));
    double one = 1, check = 0;
    for (int i = 0; i < count; ++i) buffer[i] = i % 13 + 1;
    GA_Sync();
    NGA_Acc(array, lo, hi, buffer, ld, &one);
    ga_nbhdl_t handle;
    NGA_NbAcc(array, lo, hi, buffer, ld, &one, &handle);
    NGA_NbWait(&handle);
    GA_Sync();
    NGA_NbGet(array, lo, hi, buffer, ld, &handle);
    NGA_NbWait(&handle);
    if (NGA_NbTest(&handle) != 0 && n == 1) say("a handle that was waited for: test is not 0\n");
    for (int i = 0; i < count; ++i) check += buffer[i] * (i % 7);
    char name[80];
    snprintf(name, sizeof name, "%d dimensions", n);
    GA_Dgop(&check, 1, "+");
    say("%s: read %.17g\n", name, check);
    report(name, array);
    /* Every other element. */
    for (int d = 0; d < n; ++d) {
      lo[d] = 0, hi[d] = dims[d] - 1;
      widths[d] = (hi[d] - lo[d] + skip[d]) / skip[d];
      if (d > 0) ld[d - 1] = widths[d];
    }
    if (me == procs - 1) {
      count = 1;
      for (int d = 0; d < n; ++d) count *= widths[d];
      buffer = realloc(buffer, (size_t)count * sizeof(double));
      for (int i = 0; i < count; ++i) buffer[i] = -i;
      NGA_Strided_put(array, lo, hi, skip, buffer, ld);
      NGA_Strided_acc(array, lo, hi, skip, buffer, ld, &one);
      NGA_Strided_get(array, lo, hi, skip, buffer, ld);
    }
    report(name, array);
    free(buffer);
    GA_Destroy(array);
  }
}

/* Blocks of stated sizes, and a section that wraps around. */
static void irregular_and_periodic(void) {
  int dims[2] = {40, 30}, blocks[2], map[64], k = 0, lo[2], hi[2], ld[1];
  blocks[0] = procs, blocks[1] = 1;
  for (int i = 0; i < procs; ++i) map[k++] = i == 0 ? 0 : 3 + i * 5;
  map[k++] = 0;
  int array = NGA_Create_irreg(C_DBL, 2, dims, "irregular", blocks, map);
  double value = 2.0, alpha = 1.0, patch[12 * 9];
  GA_Fill(array, &value);
  NGA_Distribution(array, procs - 1, lo, hi);
  say("the last block: %d..%d, %d..%d\n", lo[0], hi[0], lo[1], hi[1]);
  for (int i = 0; i < 12 * 9; ++i) patch[i] = i;
  lo[0] = 34, hi[0] = 45, lo[1] = -4, hi[1] = 4, ld[0] = 9;
  GA_Sync();
  double sum = 0;
  if (me == procs / 2) {
    NGA_Periodic_put(array, lo, hi, patch, ld);
    NGA_Periodic_acc(array, lo, hi, patch, ld, &alpha);
    NGA_Periodic_get(array, lo, hi, patch, ld);
    for (int i = 0; i < 12 * 9; ++i) sum += patch[i];
  }
  GA_Dgop(&sum, 1, "+");
  say("a periodic section: %.17g\n", sum);
  report("irregular", array);
  int owner_lo[2] = {0, 0}, owners = 0, found[64], regions[64 * 4];
  hi[0] = 39, hi[1] = 29;
  owners = NGA_Locate_region(array, owner_lo, hi, regions, found);
  say("%d owners, element (20, 3) at %d\n", owners, (hi[0] = 20, hi[1] = 3, NGA_Locate(array, hi)));
  GA_Destroy(array);
}

/* Ghost cells: each rank fills its own, updates, and sums what it sees. */
static void ghosts(void) {
  int dims[2] = {24, 36}, width[2] = {2, 1}, chunk[2] = {-1, -1}, lo[2], hi[2], extents[2], ld[1];
  int array = NGA_Create_ghosts(C_DBL, 2, dims, width, "ghosts", chunk);
  double* data;
  GA_Zero(array);
  NGA_Distribution(array, me, lo, hi);
  NGA_Access(array, lo, hi, &data, ld);
  for (int i = lo[0]; i <= hi[0]; ++i) {
    for (int j = lo[1]; j <= hi[1]; ++j) data[(i - lo[0]) * ld[0] + j - lo[1]] = 100 * i + j;
  }
  NGA_Release_update(array, lo, hi);
  GA_Update_ghosts(array);
  GA_Sync();
  NGA_Access_ghosts(array, extents, &data, ld);
  double sum = 0;
  for (int i = 0; i < extents[0]; ++i) {
    for (int j = 0; j < extents[1]; ++j) sum += data[i * ld[0] + j] * (i + 2 * j + 1);
  }
  NGA_Release_ghosts(array);
  GA_Dgop(&sum, 1, "+");
  say("with ghosts: %.17g\n", sum);
  report("ghosts", array);
  GA_Destroy(array);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  two_dimensions(C_INT, "int");
  two_dimensions(C_LONG, "long");
  two_dimensions(C_FLOAT, "float");
  two_dimensions(C_DBL, "double");
  two_dimensions(C_SCPL, "float complex");
  two_dimensions(C_DCPL, "double complex");
  many_dimensions();
  irregular_and_periodic();
  ghosts();
  return end();
}
