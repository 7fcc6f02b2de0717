#include "apps/graph/sssp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "far/base/error.hpp"
#include "far/graph/vertex_engine.hpp"

namespace far::apps {
namespace {

/// A message is the length of a path to the vertex that gets it.
struct shorten {
  using value = double;
  using message = double;
  using combine = minimum;

  static message send(std::uint64_t, value length) { return length; }
  static message along(message length, double weight) { return length + weight; }
  static bool apply(value& length, message found, int) {
    if (!(found < length)) return false;
    length = found;
    return true;
  }
};

void check_weights(world& world, const local_graph& graph) {
  const auto& weights = graph.in.weights;
  const double least = weights.empty() ? 0 : std::ranges::min(weights);
  if (allreduce(world, least, minimum()) >= 0) return;
  throw bad_argument("shortest paths need weights that are not negative, and an edge has one");
}

}  // namespace

sssp_result sssp(world& world, const local_graph& graph, std::uint64_t source,
                 const std::function<void(std::uint64_t)>& on_round, const engine_choice& choice) {
  check_weights(world, graph);
  sssp_result result;
  run_chosen(choice, [&]<class Way>(const Way& way) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    vertex_engine<shorten, Way> engine(world, graph, {}, infinity, way);
    if (engine.owns(source)) engine.start(source, 0);
    const std::uint64_t start_ns = world.now();
    result.rounds = engine.run([&](std::uint64_t active) {
      if (on_round) on_round(active);
    });
    result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
    result.distances.assign(engine.values().begin(), engine.values().end());
  });
  std::uint64_t reached = 0;
  double farthest = 0;
  for (const double length : result.distances) {
    if (!std::isfinite(length)) continue;
    ++reached;
    farthest = std::max(farthest, length);
  }
  result.reached = allreduce(world, reached);
  result.farthest = allreduce(world, farthest, maximum());
  return result;
}

}  // namespace far::apps
