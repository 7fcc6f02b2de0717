#pragma once

#include <string>
#include <vector>

#include "apps/common/variant.hpp"
#include "apps/mg/options.hpp"
#include "apps/mg/problem.hpp"
#include "far/far.hpp"

namespace far::apps::mg {

/// What one variant did.
struct variant_result {
  variant how;
  double seconds = 0;  ///< all iterations and the norms, without setting up; median of the rounds
  double norm = 0;     ///< of the residual at the end
};

struct result {
  problem solved;
  int ranks = 1;
  int blocks_z = 1;
  int blocks_y = 1;
  std::vector<variant_result> variants;
  std::string verdict;  ///< result of the verification
};

/// Collective: solves the problem in the variants that are asked for, in turn, each as often as
/// asked. Rank 0 shows progress on a terminal.
/// Errors: bad_argument for an unknown class, for a number of ranks that cannot share the cube, and
/// for a variant that cannot run here; far::error if a norm to be verified is wrong.
result solve(world& world, const command& asked);

/// Floating-point operations per second, by the benchmark's rule: 58 for each cell and iteration.
[[nodiscard]] double operations_per_second(const problem& p, double seconds);

}  // namespace far::apps::mg
