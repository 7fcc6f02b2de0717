// The check of --verify: plain sums, which share no code with the factorization.

#include <algorithm>
#include <vector>

#include "apps/lu/matrix.hpp"

namespace far::apps::lu {
namespace {

double square(double x) { return x * x; }

}  // namespace

residual residual_of(object_view& space, const matrix& what, const grid& places,
                     std::span<const block> blocks, std::uint64_t worker) {
  residual sum;
  std::vector<double> product;
  const auto read = [&](std::uint64_t i, std::uint64_t j) {
    return space.read_from(blocks[places.index(i, j)], 0);
  };
  for (std::uint64_t i = 0; i < places.blocks(); ++i) {
    for (std::uint64_t j = 0; j < places.blocks(); ++j) {
      if (places.owner(i, j) != worker) continue;
      space.safe_point();  // copies of the last block's factors may go
      const std::uint64_t rows = places.extent(i);
      const std::uint64_t columns = places.extent(j);
      product.assign(rows * columns, 0);
      for (std::uint64_t k = 0; k <= std::min(i, j); ++k) {
        const std::uint64_t inner = places.extent(k);
        const auto left = read(i, k);
        const auto right = read(k, j);
        for (std::uint64_t r = 0; r < rows; ++r) {
          for (std::uint64_t x = 0; x < inner; ++x) {
            // L is left of the diagonal, which is 1; U is on it and right of it.
            if (k == i && x > r) break;
            const double l = k == i && x == r ? 1 : left[r * inner + x];
            for (std::uint64_t c = k == j ? x : 0; c < columns; ++c) {
              product[r * columns + c] += l * right[x * columns + c];
            }
          }
        }
      }
      for (std::uint64_t e = 0; e < product.size(); ++e) {
        const double a = element(what.seed, what.n, i * what.block_extent + e / columns,
                                 j * what.block_extent + e % columns);
        sum.difference += square(a - product[e]);
        sum.original += square(a);
      }
    }
  }
  return sum;
}

}  // namespace far::apps::lu
