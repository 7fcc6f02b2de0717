#pragma once
// A matrix as a square of blocks, and which worker owns which.

#include <algorithm>
#include <cstdint>

namespace far::apps::lu {

/// A block lies in one region of the object space, so that it is copied as a whole.
inline constexpr std::uint64_t max_block = 90;
static_assert(max_block * max_block * sizeof(double) <= 65536 - 16);

/// The block-cyclic distribution: the workers form a grid of rows x columns, and block (i, j) is
/// that of the worker in row i mod rows and column j mod columns. So all have work until the end.
class grid {
 public:
  grid(std::uint64_t n, std::uint64_t block, std::uint64_t workers) : n_(n), block_(block) {
    for (std::uint64_t r = 1; r * r <= workers; ++r) {
      if (workers % r == 0) rows_ = r;
    }
    columns_ = workers / rows_;
  }

  /// Blocks in a row, or in a column.
  [[nodiscard]] std::uint64_t blocks() const noexcept { return (n_ + block_ - 1) / block_; }
  /// Rows of the blocks of row i, or columns of the blocks of column i: the last may be smaller.
  [[nodiscard]] std::uint64_t extent(std::uint64_t i) const noexcept {
    return std::min(block_, n_ - i * block_);
  }
  [[nodiscard]] std::uint64_t owner(std::uint64_t i, std::uint64_t j) const noexcept {
    return i % rows_ * columns_ + j % columns_;
  }
  /// Upper bound of the blocks of one worker.
  [[nodiscard]] std::uint64_t blocks_of_worker() const noexcept {
    return ((blocks() + rows_ - 1) / rows_) * ((blocks() + columns_ - 1) / columns_);
  }
  /// The block's place in an array of all.
  [[nodiscard]] std::uint64_t index(std::uint64_t i, std::uint64_t j) const noexcept {
    return i * blocks() + j;
  }

 private:
  std::uint64_t n_;
  std::uint64_t block_;
  std::uint64_t rows_ = 1;
  std::uint64_t columns_ = 1;
};

}  // namespace far::apps::lu
