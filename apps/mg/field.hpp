#pragma once
// Values of the cells of one block of a cube, with ghost cells around them.

#include <cstddef>
#include <memory>
#include <vector>

#include "apps/mg/blocks.hpp"

namespace far::apps::mg {

/// The rows of a block, each of n cells along x and a ghost cell at both ends. The block's own rows
/// are adjacent in private memory, row by row and plane by plane.
///
/// A table points to every row, because ghost rows lie elsewhere. In a dimension that is cut they
/// lie where an exchange puts them. In a dimension that the block spans, which is periodic, the
/// ghost rows of one side are the block's own rows of the opposite side.
class field {
 public:
  field() = default;
  /// All cells are 0. Ghost rows in cut dimensions must be placed before use.
  field(int planes, int rows, int n, bool cut_z, bool cut_y);

  [[nodiscard]] int planes() const noexcept { return planes_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int n() const noexcept { return n_; }
  /// Numbers of a row with its two ghost cells.
  [[nodiscard]] std::size_t row_size() const noexcept { return static_cast<std::size_t>(n_) + 2; }

  /// Cell 0 of a row; cells -1 and n are ghosts. -1 <= z <= planes, -1 <= y <= rows.
  [[nodiscard]] double* row(int z, int y) const noexcept {
    return table_[static_cast<std::size_t>((z + 1) * (rows_ + 2) + y + 1)];
  }

  /// The rows of the block that its neighbor in a direction has as ghosts, or the ghosts of that
  /// direction: a plane, a row of each plane, or one row.
  struct side {
    range z;
    range y;
    [[nodiscard]] int size() const noexcept { return z.size() * y.size(); }
  };
  [[nodiscard]] side border(direction d) const noexcept;
  [[nodiscard]] side ghosts(direction d) const noexcept;

  /// The ghost rows of a direction are adjacent in `memory`, which holds row_size() numbers for
  /// each. Call wrap() after the last of them.
  void place_ghosts(direction d, double* memory) noexcept;
  /// Points the ghost rows of each dimension that the block spans to the block's opposite side.
  void wrap() noexcept;

  /// Sets all cells and ghosts to 0.
  void clear() noexcept;

 private:
  struct release {
    void operator()(double* memory) const noexcept;
  };
  double*& entry(int z, int y) noexcept {
    return table_[static_cast<std::size_t>((z + 1) * (rows_ + 2) + y + 1)];
  }

  int planes_ = 0;
  int rows_ = 0;
  int n_ = 0;
  bool cut_z_ = false;
  bool cut_y_ = false;
  std::unique_ptr<double, release> own_;
  std::vector<double*> table_;
};

/// Makes the ghost cells at the ends of a row copies of the cells at its other end.
inline void wrap_row(double* row, int n) noexcept {
  row[-1] = row[n - 1];
  row[n] = row[0];
}

}  // namespace far::apps::mg
