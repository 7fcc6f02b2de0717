#include "far/graph/build_rows.hpp"

#include <algorithm>
#include <span>

namespace far::graphs {

std::uint64_t count_edges(const world& world, const csr_graph& graph) {
  const std::uint64_t first = graph.first(world.rank());
  std::uint64_t count = graph.in.columns.size();
  if (graph.undirected) {  // count one of the two directions: rows are in the order of the numbers
    count = 0;
    for (std::size_t v = 0; v < graph.own(); ++v) {
      const auto row =
          std::span(graph.in.columns)
              .subspan(graph.in.offsets[v], graph.in.offsets[v + 1] - graph.in.offsets[v]);
      const auto above = std::ranges::partition_point(row, [&](std::uint64_t column) {
        return (column < graph.own() ? first + column : graph.ghosts[column - graph.own()]) <=
               first + v;
      });
      count += static_cast<std::uint64_t>(above - row.begin());
    }
  }
  return allreduce(world, count);
}

}  // namespace far::graphs
