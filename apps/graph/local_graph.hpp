#pragma once

#include <cstdint>
#include <vector>

#include "far/graph/csr_graph.hpp"

namespace far::apps {

/// One rank's share of a graph from a file. Vertices are numbered in the order of their ids,
/// independent of the number of ranks.
struct local_graph : csr_graph {
  std::vector<std::int64_t> ids;  ///< of own vertices, ascending
};

}  // namespace far::apps
