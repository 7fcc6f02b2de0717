#include "apps/graph/clustering.hpp"

#include <numeric>

#include "apps/graph/triangle_sums.hpp"

namespace far::apps {

clustering_result clustering(world& world, const local_graph& graph,
                             const std::function<void(std::uint64_t, std::uint64_t)>& on_edges) {
  clustering_result result;
  const std::uint64_t start_ns = world.now();
  const neighbourhoods neighbours = neighbourhoods_of(world, graph);
  const std::vector<std::uint64_t> opposite =
      sum_over_triangles(world, graph, neighbours, corner_sum::arcs, on_edges);
  const double arcs_per_edge = graph.undirected ? 2 : 1;  // else they are counted
  for (std::size_t v = 0; v < graph.own(); ++v) {
    const auto d = static_cast<double>(neighbours.degree(v));
    result.coefficients.push_back(
        d < 2 ? 0 : arcs_per_edge * static_cast<double>(opposite[v]) / (d * (d - 1)));
  }
  const double sum = std::accumulate(result.coefficients.begin(), result.coefficients.end(), 0.0);
  const double all = allreduce(world, sum);
  result.mean = graph.vertices == 0 ? 0 : all / static_cast<double>(graph.vertices);
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  return result;
}

}  // namespace far::apps
