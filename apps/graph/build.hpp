#pragma once

#include <vector>

#include "apps/graph/edge_store.hpp"
#include "apps/graph/local_graph.hpp"
#include "apps/graph/numbering.hpp"
#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Which edges of a file are in the graph.
struct graph_options {
  bool undirected = false;       ///< a-b and b-a are the same edge, which has both directions
  bool keep_duplicates = false;  ///< if false, equal edges count once
  bool keep_loops = false;       ///< if false, an edge from a vertex to itself only adds the vertex
};

/// Collective: builds a distributed graph from the edges that each rank has read. A header may say
/// that the graph is undirected, whatever the options. `outgoing`: also stores the arcs that leave
/// own vertices. Stores weights if the edges have them; of equal edges the smallest weight stays.
/// Cost: each edge travels once in each direction that is stored, twice if undirected. Memory per
/// edge: its 8 or 16 bytes in the store, whose blocks are freed as they are sent, and then what
/// row_builder.hpp says.
/// Errors: bad_argument if one rank's share exceeds 2^32 vertices.
local_graph build_graph(world& world, edge_store edges, graph_options options,
                        const vertex_source& source = {}, bool outgoing = false);

/// The same with a numbering made before, to which `edges` were renamed.
local_graph build_numbered(world& world, edge_store edges, graph_options options,
                           const numbering& names, const vertex_source& source, bool outgoing);

}  // namespace far::apps
