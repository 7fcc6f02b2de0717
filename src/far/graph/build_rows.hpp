#pragma once
// Builds a distributed graph from blocks of edges.

#include <cstdint>
#include <vector>

#include "far/graph/arc_router.hpp"
#include "far/graph/csr_graph.hpp"
#include "far/graph/row_builder.hpp"
#include "far/graph/vertex_shares.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// Counts the arcs of each vertex, and divides the vertices among the ranks.
template <class Edges>
vertex_shares share_out(const world& world, const Edges& edges, const arc_rules& rules,
                        std::uint64_t vertices) {
  vertex_shares parts(world.size(), vertices);
  if (world.size() > 1) {
    edges.visit_all([&](const auto& block) {
      arcs_of(block, rules,
              [&](auto row, auto, double) { parts.count(static_cast<std::uint64_t>(row)); });
    });
  }
  parts.divide(world);
  return parts;
}

template <class Number, bool weighted, class Edges>
void build_directions(const world& world, csr_graph& graph, Edges& edges, arc_rules rules,
                      const vertex_shares& parts, bool keep_duplicates, bool outgoing) {
  using arc = row_arc<Number, weighted>;
  const std::uint64_t arcs = (rules.both_ways ? 2 : 1) * edges.size();
  std::vector<std::uint64_t> ghosts;
  if (outgoing) {
    rules.outgoing = true;
    arc_router<arc> route(world, parts, graph.vertices, arcs);
    route.send(edges, rules, false);
    graph.out = route.finish(keep_duplicates, ghosts);
    rules.outgoing = false;
  }
  {
    arc_router<arc> route(world, parts, graph.vertices, arcs);
    route.send(edges, rules, true);
    graph.in = route.finish(keep_duplicates, graph.ghosts);
  }
  if (outgoing) share_ghosts(graph.own(), graph.in, graph.ghosts, graph.out, ghosts);
}

/// Collective: the number of edges of a graph that has its rows.
[[nodiscard]] std::uint64_t count_edges(const world& world, const csr_graph& graph);

/// Collective: fills in the starts, the rows, the ghosts and the number of edges of a graph, of
/// which the other members are known. `edges` are this rank's, in blocks: Edges has size(),
/// blocks(), visit(i, f), visit_all(f), where f(block) takes the lists block.edges of pairs and
/// block.weights, which may be empty; and release(i), which ends the use of a block. `outgoing`:
/// also makes the rows of the arcs that leave vertices.
/// Cost: each edge travels once in each direction that is stored, twice if undirected.
/// Errors: bad_argument if one rank's share exceeds 2^32 vertices.
template <class Edges>
void build_rows(const world& world, csr_graph& graph, Edges& edges, const arc_rules& rules,
                bool keep_duplicates, bool outgoing) {
  const vertex_shares parts = share_out(world, edges, rules, graph.vertices);
  graph.starts = parts.starts();
  const auto build = [&]<class Number>(Number) {
    const auto rows = graph.weighted ? build_directions<Number, true, Edges>
                                     : build_directions<Number, false, Edges>;
    rows(world, graph, edges, rules, parts, keep_duplicates, outgoing);
  };
  if (graph.vertices <= std::uint64_t{1} << 32) {
    build(std::uint32_t{});
  } else {
    build(std::uint64_t{});
  }
  graph.edges = count_edges(world, graph);
}

}  // namespace far::graphs
