#include "far/graph/degrees.hpp"

#include "far/graph/exchange_lists.hpp"

namespace far {
namespace {

struct part_of_degree {
  std::uint64_t vertex;
  std::uint64_t arcs;
};

}  // namespace

std::vector<std::uint64_t> out_degrees(const world& world, const csr_graph& graph) {
  const std::size_t own = graph.own();
  const std::vector<std::uint64_t>& offsets = graph.outgoing().offsets;
  std::vector<std::uint64_t> degrees(own);
  if (!offsets.empty()) {
    for (std::size_t v = 0; v < own; ++v) degrees[v] = offsets[v + 1] - offsets[v];
    return degrees;
  }
  degrees.resize(own + graph.ghosts.size());
  for (const std::uint32_t column : graph.in.columns) ++degrees[column];
  std::vector<std::vector<part_of_degree>> parts(graph.starts.size() - 1);
  std::size_t r = 0;
  for (std::size_t g = 0; g < graph.ghosts.size(); ++g) {
    while (graph.ghosts[g] >= graph.starts[r + 1]) ++r;
    parts[r].push_back({graph.ghosts[g], degrees[own + g]});
  }
  degrees.resize(own);
  const std::uint64_t first = graph.first(world.rank());
  for (const auto& list : exchange_lists(world, parts)) {
    for (const part_of_degree& part : list) degrees[part.vertex - first] += part.arcs;
  }
  return degrees;
}

}  // namespace far
