#pragma once
// Judges tables 1 and 2 of oo-dsm-rdma on a simulated cluster.

#include <vector>

#include "bench/harness/report.hpp"
#include "bench/papers/object_figures.hpp"

namespace far::bench {

/// On two machines and on most, where the results have them.
[[nodiscard]] std::vector<claim> object_claims(const object_results& of);

/// The figures that the profile is fitted on.
[[nodiscard]] std::vector<row> object_rows(const object_results& of);

}  // namespace far::bench
