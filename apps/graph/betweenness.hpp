#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

struct betweenness_result {
  std::vector<double> values;  ///< of own vertices
  double seconds = 0;
};

/// Collective: betweenness by some sources. The value of a vertex is the sum of its dependencies on
/// them; its dependency on a source is the sum, over all targets other than itself, of the share of
/// the shortest paths from the source to the target that lead through it. On itself a source does
/// not depend. So if all vertices are sources, the values are exact betweenness; of an undirected
/// graph twice that, as each pair is counted from both ends. Paths lead along outgoing arcs, which
/// `graph` must have; an arc has length 1 whatever its weight, and parallel arcs make different
/// paths. `on_source(done)` is called on every rank after each of the sources.
/// Cost: for a source, the rounds of a search as vertex_engine makes them, a ghost exchange, and
/// as many rounds back; a round back looks at the incoming arcs of the vertices of one level, and
/// sends 16 bytes for each ghost that begins any of them.
/// Errors: bad_argument on all ranks for more than 1e300 shortest paths to a vertex.
/// Source: U. Brandes, A faster algorithm for betweenness centrality, 2001.
/// Checked by: distributed_betweenness_test.equals_the_oracle
betweenness_result betweenness(world& world, const local_graph& graph,
                               const std::vector<std::uint64_t>& sources,
                               const std::function<void(std::size_t done)>& on_source = {});

}  // namespace far::apps
