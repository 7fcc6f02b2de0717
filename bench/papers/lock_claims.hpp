#pragma once
// Whether what rma-locks says of its figures, and what row B7 wants, holds of those of a simulated
// machine.

#include <vector>

#include "bench/harness/figure.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::bench {

/// What lock_figures.hpp gives, in its order; `gapless` may be empty.
struct lock_results {
  std::vector<figure> exclusive;
  std::vector<figure> thresholds;
  std::vector<figure> shared;
  std::vector<figure> tables;
  std::vector<figure> gapless;
};

/// Claims about many ranks are judged at the last place; those from so many ranks on at the last,
/// where there are fewer.
[[nodiscard]] std::vector<claim> lock_claims(const lock_results& of,
                                             const fabric::sim::profile& machine);

}  // namespace far::bench
