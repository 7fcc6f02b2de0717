#include "apps/graph/bfs.hpp"

#include <algorithm>

#include "far/graph/vertex_engine.hpp"

namespace far::apps {
namespace {

/// A message is the number of a possible parent: any of those that come in the first round in which
/// a vertex is reached.
struct search {
  struct value {
    std::uint64_t level = not_reached;
    std::uint64_t parent = not_reached;
  };
  using message = std::uint64_t;
  using combine = minimum;
  static constexpr bool takes_one = true;

  static message send(std::uint64_t vertex) { return vertex; }
  static bool apply(value& v, message parent, int round) {
    v = {static_cast<std::uint64_t>(round), parent};
    return true;
  }
};

}  // namespace

bfs_result bfs(world& world, const local_graph& graph, std::uint64_t source,
               const std::function<void(std::uint64_t, std::uint64_t)>& on_round,
               const engine_choice& choice) {
  bfs_result result;
  run_chosen(choice, [&]<class Way>(const Way& way) {
    vertex_engine<search, Way> engine(world, graph, {}, {}, way);
    if (engine.owns(source)) engine.start(source, {0, source});
    const std::uint64_t start_ns = world.now();
    std::uint64_t level = 0;
    result.rounds = engine.run([&](std::uint64_t active) {
      result.reached += active;
      result.depth = level;
      if (on_round) on_round(level, active);
      ++level;
    });
    result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
    for (const search::value& v : engine.values()) {
      result.levels.push_back(v.level);
      result.parents.push_back(v.parent);
    }
  });
  return result;
}

}  // namespace far::apps
