#pragma once

#include <cstdint>
#include <string>

#include "apps/lu/options.hpp"
#include "far/far.hpp"

namespace far::apps::lu {

/// The result of far-lu, on rank 0.
struct result {
  command asked;
  int ranks = 1;
  double seconds = 0;          ///< of the factorization
  double log_determinant = 0;  ///< of |det A|: does not depend on ranks and threads in any bit
  double residual = 0;         ///< |A - L U| / |A|, Frobenius norms, if asked to verify
};

/// Collective: makes a random matrix and factors it. Threads of all ranks own equally many blocks,
/// which are objects of their ranks. Rank 0 shows progress on a terminal.
/// Errors: out_of_memory; far::error if the residual is too large.
result factor_matrix(world& world, const command& asked);

}  // namespace far::apps::lu
