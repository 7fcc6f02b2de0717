#pragma once

#include <string>

#include "apps/graph/components.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/options.hpp"
#include "apps/graph/pagerank.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: rank 0 reads the file alone, computes sequentially, and compares with what all
/// ranks have. Returns on rank 0 a line that says how close they are; empty on the others.
/// Cost: the whole graph in the memory of rank 0.
/// Errors: far::error when they differ: ranks by more than 1e-9 in sum, or a label at all.
std::string verify(world& world, const command& asked, const local_graph& graph,
                   const pagerank_result* ranks, const components_result* components);

}  // namespace far::apps
