#include "apps/matmul/blocks.hpp"

#include <algorithm>
#include <limits>

#include "far/base/hash.hpp"
#include "far/base/random.hpp"

namespace far::apps::matmul {

double element_of(which matrix, std::uint64_t i, std::uint64_t j) noexcept {
  const std::uint64_t row = base::mix(2 * i + (matrix == which::a ? 0 : 1));
  const std::uint64_t bits = base::hash_combine(row, j);
  return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
}

void fill(const stored_block& block, which matrix) {
  for (std::uint64_t i = 0; i < block.rows.size(); ++i) {
    for (std::uint64_t j = 0; j < block.columns.size(); ++j) {
      block.row(i)[j] = element_of(matrix, block.rows.begin + i, block.columns.begin + j);
    }
  }
}

void spoil(const stored_block& block) {
  for (std::uint64_t i = 0; i < block.rows.size(); ++i) {
    std::fill_n(block.row(i), block.columns.size(), std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace far::apps::matmul
