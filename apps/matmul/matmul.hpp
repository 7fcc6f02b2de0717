#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/matmul/blocks.hpp"
#include "apps/matmul/options.hpp"
#include "far/far.hpp"

namespace far::apps::matmul {

/// The BLAS, or what tests use instead.
struct blas {
  block_product product;                 ///< one thread
  std::function<void(int)> set_threads;  ///< how many threads `product` uses
};

/// What one variant did.
struct variant_result {
  std::string name;     ///< "one-sided", "mpi", "blas, 2 threads"
  double seconds = 0;   ///< a multiplication; median of the rounds
  std::string verdict;  ///< what has been checked
};

struct result {
  shape what;
  int ranks = 1;
  rank_grid grid;
  std::vector<variant_result> variants;
};

/// Collective: multiplies in the variants that are asked for, in turn, each as often as asked. Each
/// product is checked by Freivalds' test, and if asked against the BLAS. Rank 0 shows progress on a
/// terminal.
/// Errors: bad_argument for a variant that cannot run here; out_of_memory; far::error if a product
/// is wrong.
result multiply(world& world, const command& asked, const blas& with);

/// Floating-point operations of a product.
[[nodiscard]] double operations_of(const shape& s);

}  // namespace far::apps::matmul
