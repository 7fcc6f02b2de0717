#pragma once

#include <cstdint>

#include "bench/baselines/csr_pagerank.hpp"

namespace far::bench {

/// Returns the edges of a recursive-matrix graph with 2^scale vertices, of which a few have very
/// many edges. Parameters of the Graph500 benchmark: quadrants .57, .19, .19, .05, `factor` edges
/// per vertex, vertices in mixed order. Deterministic.
/// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT", SDM 2004.
[[nodiscard]] edge_list rmat_edges(int scale, std::uint64_t factor);

}  // namespace far::bench
