#include "apps/graph/triangles.hpp"

#include <numeric>

#include "apps/graph/triangle_sums.hpp"

namespace far::apps {

triangles_result triangles(world& world, const local_graph& graph,
                           const std::function<void(std::uint64_t, std::uint64_t)>& on_edges) {
  triangles_result result;
  const std::uint64_t start_ns = world.now();
  result.through =
      sum_over_triangles(world, graph, neighbourhoods_of(world, graph), corner_sum::one, on_edges);
  const auto corners =
      std::accumulate(result.through.begin(), result.through.end(), std::uint64_t{0});
  result.count = allreduce(world, corners) / 3;
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  return result;
}

}  // namespace far::apps
