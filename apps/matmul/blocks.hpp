#pragma once
// Blocks of matrices in this process's memory, and how two are multiplied.

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/matmul/shape.hpp"

namespace far::apps::matmul {

/// The matrices of a product.
enum class which : std::uint8_t { a, b, c };

/// Element (i, j) of A or B as it is stored: pseudorandom, from -1 to 1. The same everywhere, so
/// that any rank can check what others have.
[[nodiscard]] double element_of(which matrix, std::uint64_t i, std::uint64_t j) noexcept;

/// A rank's block of a matrix as it is stored: rows x columns of it, row-major, rows `leading`
/// elements apart.
struct stored_block {
  range rows;
  range columns;
  double* first = nullptr;
  std::uint64_t leading = 0;

  [[nodiscard]] double* row(std::uint64_t i) const noexcept { return first + i * leading; }
};

/// A factor of a block product: a block, or its transpose.
struct factor {
  const double* first = nullptr;
  std::uint64_t leading = 0;
  bool transposed = false;
};

/// c = a b, or c += a b: c has m x n elements, rows `leading` apart, and a has k columns.
using block_product =
    std::function<void(std::uint64_t m, std::uint64_t n, std::uint64_t k, const factor& a,
                       const factor& b, bool add, double* c, std::uint64_t leading)>;

/// The blocks that a rank has.
struct own_blocks {
  stored_block a;
  stored_block b;
  stored_block c;
};

/// Fills a block of A or B with its elements.
void fill(const stored_block& block, which matrix);
/// Fills a block of C with numbers that no product has, so that a forgotten element is found.
void spoil(const stored_block& block);

}  // namespace far::apps::matmul
