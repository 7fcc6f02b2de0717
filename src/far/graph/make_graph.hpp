#pragma once
// A distributed graph from a program's own arcs.

#include <cstdint>
#include <span>

#include "far/graph/csr_graph.hpp"
#include "far/world/world.hpp"

namespace far {

/// An arc between two vertices of the whole graph.
struct arc {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

struct graph_rules {
  bool undirected = false;       ///< a-b and b-a are the same edge, which has both directions
  bool keep_duplicates = false;  ///< if false, equal edges count once, with the smallest weight
  bool keep_loops = false;       ///< if false, an arc from a vertex to itself is dropped
  bool outgoing = true;          ///< also store arcs by their sources, which pushing needs
};

/// Collective: the graph of the vertices 0 .. vertices - 1 and of all ranks' arcs, in any order.
/// `weights`: one per arc, or none; ranks that have arcs give weights, or none does. Ranges of
/// vertices are divided so that ranks get about equal work: an arc counts one, a vertex two.
/// Cost: each arc travels once per direction stored; 8 bytes an arc (16 with weights) until its row
/// is built, besides `arcs` itself.
/// Errors: bad_argument on every rank for an arc beyond the vertices, for another number of weights
/// than of arcs, and if ranks give different numbers of vertices or rules, or one rank's share
/// exceeds 2^32 vertices.
/// Checked by: make_graph_test.rows_hold_the_arcs_of_all_ranks,
/// make_graph_test.wrong_arcs_are_refused_on_every_rank
[[nodiscard]] csr_graph make_graph(const world& world, std::uint64_t vertices,
                                   std::span<const arc> arcs, std::span<const double> weights = {},
                                   const graph_rules& rules = {});

}  // namespace far
