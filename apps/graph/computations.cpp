#include "apps/graph/computations.hpp"

namespace far::apps {

std::span<const computing_command> computing_commands() {
  static const std::vector<computing_command> commands = {
      {"pagerank", "rank vertices by their in-edges", {make_pagerank}},
      {"components", "count weakly connected parts", {make_components}},
      {"summary", "both of them", {make_components, make_pagerank}},
      {"bfs", "search breadth-first from a vertex", {make_bfs}},
      {"sssp", "find shortest paths from a vertex", {make_sssp}},
      {"communities", "find communities by label propagation", {make_communities}},
      {"triangles", "count triangles", {make_triangles}},
      {"clustering", "find how dense each vertex's neighbourhood is", {make_clustering}},
      {"cores", "find core numbers", {make_cores}},
      {"bc", "find betweenness by some sources", {make_bc}},
  };
  return commands;
}

}  // namespace far::apps
