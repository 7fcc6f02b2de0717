#pragma once
// Judges the figures of darray on a simulated machine: the paper's claims, and libfar's own goals.

#include <vector>

#include "bench/harness/report.hpp"
#include "bench/papers/array_figures.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::bench {

/// Claims about the max number of nodes or threads are judged at the last place.
[[nodiscard]] std::vector<claim> array_claims(const array_results& of);

/// The goals, as rows: sweeps at most nodes compared with a hit's time or the wire's, whichever is
/// longer; updates at most nodes compared with two; random accesses compared with far::array's.
[[nodiscard]] std::vector<row> array_goals(const array_results& of, const array_places& at,
                                           const fabric::sim::profile& machine);

}  // namespace far::bench
