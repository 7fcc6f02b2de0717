#pragma once

#include <string>

#include "apps/graph/local_graph.hpp"
#include "apps/graph/options.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: rank 0 reads the file alone, computes sequentially, and compares with the results of
/// the computations, which have run. Returns a line that states how close they are on rank 0; empty
/// elsewhere.
/// Cost: the whole graph in the memory of rank 0.
/// Errors: far::error if the graphs differ, and as computation::compare.
std::string verify(world& world, const command& asked, const local_graph& graph);

}  // namespace far::apps
