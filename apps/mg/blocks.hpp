#pragma once
// Which rank has which part of the grids. The cubes of all levels are cut in z and y; rows along x
// are whole, so that what neighbors exchange are whole rows.

#include <cstddef>
#include <vector>

namespace far::apps::mg {

/// Cells begin <= i < end of one dimension.
struct range {
  int begin = 0;
  int end = 0;

  [[nodiscard]] int size() const noexcept { return end - begin; }
  friend bool operator==(const range&, const range&) = default;
};

/// A direction in which a block has a neighbor; each of dz, dy is -1, 0 or 1, and not both are 0.
struct direction {
  int dz;
  int dy;
};
inline constexpr int direction_count = 8;
inline constexpr direction directions[direction_count] = {{-1, 0},  {1, 0}, {0, -1}, {0, 1},
                                                          {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
/// The number of the opposite direction.
[[nodiscard]] constexpr int opposite(int d) noexcept { return d ^ 1; }

/// The ranks as a grid of blocks: rank = z * ny + y.
class block_grid {
 public:
  /// One block: a grid that one rank has alone, or that every rank has a copy of.
  block_grid() = default;
  /// As many blocks as ranks, each of at least one row of a cube of n^3, with the least surface.
  /// Errors: bad_argument if n^2 rows cannot be cut so.
  /// Checked by: mg_blocks_test.cubes_are_cut_evenly, mg_blocks_test.impossible_cuts_are_refused
  block_grid(int n, int ranks);

  [[nodiscard]] int blocks_z() const noexcept { return blocks_z_; }
  [[nodiscard]] int blocks_y() const noexcept { return blocks_y_; }
  [[nodiscard]] int size() const noexcept { return blocks_z_ * blocks_y_; }

  /// The planes and rows of a rank's block at a level that is `coarser` levels below the finest.
  /// A coarse cell c belongs to the rank of the fine cell at its center, 2c + 1.
  /// Checked by: mg_blocks_test.coarse_cells_are_where_their_centers_are
  [[nodiscard]] range planes(int rank, int coarser) const;
  [[nodiscard]] range rows(int rank, int coarser) const;
  /// Whether every rank has cells at that level.
  [[nodiscard]] bool all_have_cells(int coarser) const;

  /// The rank in a direction, around the cube.
  [[nodiscard]] int neighbor(int rank, direction d) const noexcept;
  /// Whether the neighbor in that direction is another block, so that its rows must be fetched.
  [[nodiscard]] bool is_cut(direction d) const noexcept {
    return (d.dz == 0 || blocks_z_ > 1) && (d.dy == 0 || blocks_y_ > 1);
  }

 private:
  int blocks_z_ = 1;
  int blocks_y_ = 1;
  int n_ = 0;
};

}  // namespace far::apps::mg
