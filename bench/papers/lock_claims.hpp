#pragma once
// Checks the claims of rma-locks about its figures, and the goals of row B7, against the figures of
// a simulated machine.

#include <vector>

#include "bench/harness/figure.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::bench {

/// The results of the functions of lock_figures.hpp; `gapless` may be empty.
struct lock_results {
  std::vector<figure> exclusive;
  std::vector<figure> thresholds;
  std::vector<figure> shared;
  std::vector<figure> tables;
  std::vector<figure> gapless;
};

/// Claims about the max number of ranks are judged at the last place. Claims from a number of ranks
/// on are judged at all places from there, and always at the last place.
[[nodiscard]] std::vector<claim> lock_claims(const lock_results& of,
                                             const fabric::sim::profile& machine);

}  // namespace far::bench
