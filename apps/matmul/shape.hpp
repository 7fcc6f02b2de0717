#pragma once
// What is multiplied, and how it is cut: C = op(A) op(B), where op may transpose. C has m rows and
// n columns, op(A) has k columns.

#include <cstdint>
#include <string>
#include <vector>

namespace far::apps::matmul {

/// Indices begin <= i < end.
struct range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  friend bool operator==(const range&, const range&) = default;
};

struct shape {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  bool transpose_a = false;  ///< A is stored as k x m
  bool transpose_b = false;  ///< B is stored as n x k
};

/// "A x B", with marks for transposes and the sizes.
[[nodiscard]] std::string in_words(const shape& s);

/// Part i of n indices in `parts` parts whose sizes differ by at most 1.
[[nodiscard]] range part(std::uint64_t n, int parts, int i) noexcept;

/// The ranks as rows and columns: rank = row * columns + column. C is cut into rows x columns
/// blocks, op(A) and op(B) likewise; a block may be empty.
struct rank_grid {
  int rows = 1;
  int columns = 1;

  /// The grid of all ranks in which the least has to move; of equal ones, the one with more rows,
  /// because then rows of B move, which are contiguous.
  /// Checked by: matmul_shape_test.grids_follow_the_shape
  static rank_grid of(const shape& s, int ranks);

  friend bool operator==(const rank_grid&, const rank_grid&) = default;
};

/// Cuts 0 .. k into panels of at most `width`, none of which crosses a border of the `a_parts`
/// parts in which op(A) is cut, or of the `b_parts` parts of op(B).
/// Checked by: matmul_shape_test.panels_cross_no_border
[[nodiscard]] std::vector<range> panels_of(std::uint64_t k, int a_parts, int b_parts,
                                           std::uint64_t width);

}  // namespace far::apps::matmul
