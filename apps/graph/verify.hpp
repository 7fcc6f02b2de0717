#pragma once

#include <string>

#include "apps/graph/components.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/options.hpp"
#include "apps/graph/pagerank.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: rank 0 reads the file alone, computes sequentially, and compares with the
/// distributed results. Returns a line that states how close they are on rank 0; empty elsewhere.
/// Cost: the whole graph in the memory of rank 0.
/// Errors: far::error if ranks differ by more than 1e-9 in sum, or if any label differs.
std::string verify(world& world, const command& asked, const local_graph& graph,
                   const pagerank_result* ranks, const components_result* components);

}  // namespace far::apps
