#include "apps/graph/build.hpp"

#include "far/graph/build_rows.hpp"

namespace far::apps {

local_graph build_graph(world& world, edge_store edges, graph_options options,
                        const vertex_source& source, bool outgoing) {
  const numbering names(world, edges, source);
  names.rename(edges);
  return build_numbered(world, std::move(edges), options, names, source, outgoing);
}

local_graph build_numbered(world& world, edge_store edges, graph_options options,
                           const numbering& names, const vertex_source& source, bool outgoing) {
  local_graph graph;
  graph.vertices = names.vertices();
  const bool listed_twice = source.header && source.header->listed_twice;
  const bool symmetric = source.header && source.header->symmetric;
  graph.undirected = options.undirected || symmetric || listed_twice;
  graph.weighted = allreduce(world, std::uint64_t{edges.weighted() ? 1U : 0U}) != 0;

  const double reverse = source.header && source.header->skew ? -1 : 1;
  // The two directions of a skew matrix differ in their weights.
  const bool both = outgoing && (!graph.undirected || (graph.weighted && reverse != 1));
  graphs::build_rows(world, graph, edges,
                     {graph.undirected && !listed_twice, options.keep_loops, false, reverse},
                     options.keep_duplicates, both);
  graph.ids = names.ids_of(world, graph.starts);
  return graph;
}

}  // namespace far::apps
