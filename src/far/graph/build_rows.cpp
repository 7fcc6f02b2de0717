#include "far/graph/build_rows.hpp"

namespace far::graphs {

std::uint64_t count_edges(const world& world, const csr_graph& graph) {
  const std::uint64_t first = graph.first(world.rank());
  std::uint64_t count = graph.in.columns.size();
  if (graph.undirected) {  // count one of the two directions
    count = 0;
    for (std::size_t v = 0; v < graph.own(); ++v) {
      for (std::uint64_t a = graph.in.offsets[v]; a < graph.in.offsets[v + 1]; ++a) {
        const std::uint64_t column = graph.in.columns[a];
        const std::uint64_t from =
            column < graph.own() ? first + column : graph.ghosts[column - graph.own()];
        count += from <= first + v ? 1 : 0;
      }
    }
  }
  return allreduce(world, count);
}

}  // namespace far::graphs
