#pragma once

#include <string>

#include "apps/graph/edge_store.hpp"
#include "apps/graph/numbering.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Collective: throws unless each edge of a METIS file, renamed to numbers, is in the lists of both
/// of its vertices, with one weight. Compares sums over all arcs and over their reverses; only if
/// they differ, it builds the rows of both directions to name an edge.
/// Errors: input_error on the ranks that own a vertex of such an edge.
void check_both_lists(world& world, const std::string& path, const edge_store& edges,
                      const numbering& names);

}  // namespace far::apps
