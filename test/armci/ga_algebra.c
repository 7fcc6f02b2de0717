/* Operations on whole arrays: matrix products, sums, copies, transposes, patches. */

#include <math.h>

#include "ga_check.h"

/* Fills an array of doubles with small integers that depend on the subscripts only. */
static void fill(int array, int factor) {
  int lo[2], hi[2], ld[1];
  double* data;
  NGA_Distribution(array, me, lo, hi);
  if (lo[0] >= 0 && lo[0] <= hi[0]) {
    NGA_Access(array, lo, hi, &data, ld);
    for (int i = lo[0]; i <= hi[0]; ++i) {
      for (int j = lo[1]; j <= hi[1]; ++j) {
        data[(i - lo[0]) * ld[0] + j - lo[1]] = (i * factor + j * 3) % 7 - 3;
      }
    }
    NGA_Release_update(array, lo, hi);
  }
  GA_Sync();
}

static int matrix(const char* name, int rows, int columns, int factor) {
  int dims[2] = {rows, columns};
  int array = NGA_Create(C_DBL, 2, dims, (char*)name, NULL);
  fill(array, factor);
  return array;
}

static void products(int n) {
  int a = matrix("a", n, n, 5), b = matrix("b", n, n, 11), c = matrix("c", n, n, 2);
  GA_Dgemm('n', 'n', n, n, n, 1.0, a, b, 0.0, c);
  report("a b", c);
  GA_Dgemm('t', 'n', n, n, n, 2.0, a, b, 1.0, c);
  report("2 a' b + c", c);
  GA_Dgemm('n', 't', n, n / 2, n, 1.0, a, b, 0.0, c);
  report("part of a b'", c);
  int alo[2] = {1, 2}, ahi[2] = {n / 2, n / 3}, blo[2] = {3, 0}, bhi[2] = {n / 3 + 1, n / 4};
  int clo[2] = {0, 0}, chi[2] = {n / 2 - 1, n / 4};
  double one = 1, zero = 0;
  NGA_Matmul_patch('n', 'n', &one, &zero, a, alo, ahi, b, blo, bhi, c, clo, chi);
  report("a product of patches", c);
  GA_Destroy(a), GA_Destroy(b), GA_Destroy(c);
}

/* Products of rectangles, against sums by hand on rank 0. */
static void rectangular_product(void) {
  enum { M = 37, N = 29, K = 53 };
  int a = matrix("a", M, K, 3), b = matrix("b", K, N, 4), c = matrix("c", M, N, 1);
  GA_Dgemm('n', 'n', M, N, K, 1.0, a, b, 0.0, c);
  GA_Sync();
  if (me == 0) {
    static double x[M][K], y[K][N], z[M][N];
    int lo[2] = {0, 0}, hi[2], ld[1], wrong = 0;
    hi[0] = M - 1, hi[1] = K - 1, ld[0] = K, NGA_Get(a, lo, hi, x, ld);
    hi[0] = K - 1, hi[1] = N - 1, ld[0] = N, NGA_Get(b, lo, hi, y, ld);
    hi[0] = M - 1, hi[1] = N - 1, ld[0] = N, NGA_Get(c, lo, hi, z, ld);
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < N; ++j) {
        double sum = 0;
        for (int k = 0; k < K; ++k) sum += x[i][k] * y[k][j];
        wrong += fabs(sum - z[i][j]) > 0;
      }
    }
    printf("a rectangular product: %d wrong elements\n", wrong);
  }
  report("rectangular", c);
  GA_Destroy(a), GA_Destroy(b), GA_Destroy(c);
}

static void whole_arrays(int n) {
  int a = matrix("a", n, n + 4, 5), b = matrix("b", n, n + 4, 9), c = matrix("c", n, n + 4, 1);
  int t = matrix("t", n + 4, n, 1);
  double two = 2, minus = -1, half = 0.5;
  say("dot %.17g\n", GA_Ddot(a, b));
  GA_Scale(a, &two);
  report("scaled", a);
  GA_Add(&minus, a, &half, b, c);
  report("added", c);
  GA_Copy(c, b);
  report("copied", b);
  GA_Transpose(a, t);
  report("transposed", t);
  GA_Elem_multiply(a, b, c);
  report("multiplied", c);
  GA_Add_constant(c, &two);
  GA_Abs_value(c);
  report("absolute", c);
  int lo[2] = {2, 3}, hi[2] = {n - 4, n - 2}, to_lo[2] = {4, 1}, to_hi[2] = {n - 2, n - 4};
  NGA_Copy_patch('n', a, lo, hi, b, to_lo, to_hi);
  report("a copied patch", b);
  NGA_Fill_patch(c, lo, hi, &half);
  NGA_Scale_patch(c, to_lo, to_hi, &two);
  report("filled and scaled patches", c);
  say("dot of patches %.17g\n", NGA_Ddot_patch(a, 'n', lo, hi, b, 'n', to_lo, to_hi));
  GA_Destroy(a), GA_Destroy(b), GA_Destroy(c), GA_Destroy(t);
}

/* Square matrices: symmetrized, diagonals, norms. */
static void square(int n) {
  int a = matrix("a", n, n, 5), v = 0;
  double norm = 0, three = 3;
  GA_Symmetrize(a);
  report("symmetric", a);
  GA_Norm_infinity(a, &norm);
  say("norm %.17g\n", norm);
  GA_Shift_diagonal(a, &three);
  v = NGA_Create(C_DBL, 1, &n, "v", NULL);
  GA_Get_diag(a, v);
  report("diagonal", v);
  GA_Zero_diagonal(a);
  GA_Set_diagonal(a, v);
  report("with its diagonal", a);
  GA_Destroy(a), GA_Destroy(v);
}

/* Arrays of other types and dimensions: duplicates, dot products, equality of shape. */
static void types(void) {
  int dims[3] = {11, 7, 9}, two = 2;
  int a = NGA_Create(C_INT, 3, dims, "int", NULL), b = 0;
  long big = 1L << 40, long_sum = 0;
  GA_Fill(a, &two);
  b = GA_Duplicate(a, "other");
  GA_Copy(a, b);
  say("ints %d, same shape %d\n", GA_Idot(a, b), GA_Compare_distr(a, b));
  GA_Destroy(a), GA_Destroy(b);
  a = NGA_Create(C_LONG, 3, dims, "long", NULL);
  GA_Fill(a, &big);
  long_sum = GA_Ldot(a, a);
  say("longs %ld\n", long_sum);
  report("longs", a);
  GA_Destroy(a);
}

int main(int argc, char** argv) {
  begin(argc, argv);
  products(48);
  products(130);
  rectangular_product();
  whole_arrays(50);
  square(41);
  types();
  return end();
}
