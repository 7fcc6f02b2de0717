#pragma once

#include <optional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "apps/graph/reader_types.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Which edges of a file are in the graph.
struct graph_options {
  bool undirected = false;       ///< a-b and b-a are one edge, which leads both ways
  bool keep_duplicates = false;  ///< else equal edges count once
  bool keep_loops = false;       ///< else an edge from a vertex to itself only makes the vertex
};

/// Collective: turns the edges that each rank has read into a distributed graph.
/// A symmetric matrix is undirected whatever the options say.
/// Cost: five rounds of alltoallv, each edge travels once (twice if undirected).
/// Errors: bad_argument where one rank's share exceeds 2^32 vertices.
local_graph build_graph(world& world, std::vector<edge> edges, graph_options options,
                        const std::optional<matrix_header>& matrix);

/// The rank that owns a vertex, by `starts` of local_graph.
int owner_of(const std::vector<std::uint64_t>& starts, std::uint64_t vertex);

}  // namespace far::apps
