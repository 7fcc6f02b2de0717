#pragma once
// Rows whose columns are vertices of the whole graph, as in files: sorted, and by the rules.

#include <cstdint>

#include "apps/graph/local_graph.hpp"

namespace far::apps {

/// Sorts each row. Of equal arcs it keeps the one with the smallest weight, unless
/// `keep_duplicates`; it drops loops unless `keep_loops`. `first`: the vertex of the first row.
/// Cost: linear for rows that ascend already.
void sort_rows(adjacency& rows, std::uint64_t first, bool keep_duplicates, bool keep_loops);

/// The rows of the undirected graph whose incoming and outgoing arcs these are; not sorted.
[[nodiscard]] adjacency united_rows(const adjacency& in, const adjacency& out, std::uint64_t first);

}  // namespace far::apps
