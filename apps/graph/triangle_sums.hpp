#pragma once
// The enumeration of triangles that triangles and clustering share.

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "apps/graph/neighbourhoods.hpp"
#include "far/far.hpp"

namespace far::apps {

/// What the opposite edge of a triangle adds to a corner.
enum class corner_sum : std::uint8_t {
  one,   ///< so the sum is the number of triangles
  arcs,  ///< its arcs, 1 or 2, of a directed graph; of an undirected one as `one`
};

/// Collective: finds each triangle of the undirected graph under `graph` once, and adds to each of
/// its corners; returns the sums of own vertices. `on_edges(done, all)` is called now and then on
/// every rank, with numbers of its own edges.
/// Method: edges lead from the end with fewer neighbours to the other. For each vertex w to which
/// any lead, its row is marked; each edge v -> w makes a triangle of each marked vertex that comes
/// after w in the row of v. Rows of ghosts are fetched.
/// Cost: memory as orient and ghost_rows; each row goes to each rank where it has a source; time as
/// the pairs of edges that leave a vertex, at most edges^1.5.
/// Source: T. Schank, D. Wagner, Finding, counting and listing all triangles in large graphs, 2005
///   (algorithm forward).
std::vector<std::uint64_t> sum_over_triangles(
    world& world, const local_graph& graph, const neighbourhoods& neighbours, corner_sum what,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& on_edges = {});

}  // namespace far::apps
