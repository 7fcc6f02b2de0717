#pragma once
// Checks the claims of rdma-vs-rpc about its figures against the figures of a simulation.

#include <vector>

#include "bench/harness/figure.hpp"

namespace far::bench {

/// The paper's claims in section IV, each with what was found. Figures 3 to 5 are by ranks, one
/// node first; figure 6 is by microseconds of computation.
/// Errors: std::out_of_range for figures without the curves of paper_a.cpp.
/// Checked by: PaperA.ClaimsAreJudgedByTheFigures
[[nodiscard]] std::vector<claim> paper_a_claims(const figure& components, const figure& queues,
                                                const figure& tables, const figure& attention);

}  // namespace far::bench
