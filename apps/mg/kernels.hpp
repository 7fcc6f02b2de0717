#pragma once
// The operators of the V-cycle on rows of cells. Each writes whole rows with their ghost cells at
// the ends, and reads the rows around them, ghost rows included.
//
// All stencils have 27 points. A row's neighbors are summed first: `faces`, the 4 rows that differ
// from it in one of z and y, and `edges`, the 4 that differ in both. Cell x of the result then
// needs cells x - 1, x and x + 1 of the row and of the two sums.

#include <vector>

#include "apps/mg/field.hpp"
#include "apps/mg/problem.hpp"

namespace far::apps::mg {

/// Memory for sums of rows; one for each thread.
class row_sums {
 public:
  explicit row_sums(int n);
  /// Cell 0 of a row with ghost cells.
  [[nodiscard]] double* faces() noexcept { return faces_.data() + 1; }
  [[nodiscard]] double* edges() noexcept { return edges_.data() + 1; }

 private:
  std::vector<double> faces_;
  std::vector<double> edges_;
};

/// r = v - A u in rows y of plane z. r and v may be the same field.
/// Checked by: mg_kernels_test.operators_are_their_stencils
void residual(const field& r, const field& v, const field& u, int z, range y, row_sums& sums);
/// u += S r in rows y of plane z.
/// Checked by: mg_kernels_test.operators_are_their_stencils
void smooth(const field& u, const field& r, const stencil& s, int z, range y, row_sums& sums);
/// The coarse row whose center is row (z, y) of the fine field: to[0 .. n/2).
/// Checked by: mg_kernels_test.operators_are_their_stencils
void restrict_row(double* to, const field& fine, int z, int y, row_sums& sums);
/// Interpolates a fine row from coarse rows, and adds it to row `to` or overwrites that. The coarse
/// rows are [z.begin, z.end) x [y.begin, y.end), one or two in each dimension; `to` has twice as
/// many cells as they.
/// Checked by: mg_kernels_test.operators_are_their_stencils
void interpolate_row(double* to, bool add, const field& coarse, range z, range y, row_sums& sums);
/// The sum of the squares of rows y of plane z.
[[nodiscard]] double sum_of_squares(const field& r, int z, range y);

}  // namespace far::apps::mg
