#pragma once
// Operations on dense blocks, stored by rows without gaps.

#include <cstddef>

namespace far::apps::lu {

/// Replaces a square block by its factors: L below the diagonal, whose own is 1, and U.
void factor(double* a, std::size_t n);
/// Solves L X = B with the L of a factored block. B has n rows, and becomes X.
void solve_lower(const double* factored, std::size_t n, double* b, std::size_t columns);
/// Solves X U = B with the U of a factored block. B has n columns, and becomes X.
void solve_upper(const double* factored, std::size_t n, double* b, std::size_t rows);
/// C -= A B, of rows x inner and inner x columns.
void subtract_product(double* c, const double* a, const double* b, std::size_t rows,
                      std::size_t inner, std::size_t columns);

}  // namespace far::apps::lu
