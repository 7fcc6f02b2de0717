#pragma once

#include <optional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Which edges of a file are in the graph.
struct graph_options {
  bool undirected = false;       ///< a-b and b-a are the same edge, which has both directions
  bool keep_duplicates = false;  ///< if false, equal edges count once
  bool keep_loops = false;       ///< if false, an edge from a vertex to itself only adds the vertex
};

/// Collective: builds a distributed graph from the edges that each rank has read.
/// A symmetric matrix is always undirected, whatever the options.
/// Cost: five rounds of alltoallv, each edge travels once (twice if undirected).
/// Errors: bad_argument if one rank's share exceeds 2^32 vertices.
local_graph build_graph(world& world, std::vector<edge> edges, graph_options options,
                        const std::optional<matrix_header>& matrix);

/// The rank that owns a vertex, according to local_graph::starts.
int owner_of(const std::vector<std::uint64_t>& starts, std::uint64_t vertex);

}  // namespace far::apps
