#include "apps/graph/sssp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "far/base/error.hpp"

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
                 const std::function<void(std::uint64_t)>& on_round) {
  check_weights(world, graph);
  sssp_result result;
  vertex_engine<shorten> engine(world, graph, std::numeric_limits<double>::infinity());
  const std::uint64_t first = graph.first(world.rank());
  if (source >= first && source - first < graph.own()) {
    engine.values()[source - first] = 0;
    engine.activate(source - first);
  }
  const std::uint64_t start_ns = world.now();
  result.rounds = engine.run([&](std::uint64_t active) {
    if (on_round) on_round(active);
  });
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  result.distances.assign(engine.values().begin(), engine.values().end());
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
