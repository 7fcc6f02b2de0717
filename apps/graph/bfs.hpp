#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "apps/graph/engine_choice.hpp"
#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// The level and the parent of vertices that are not reached. (LDBC Graphalytics' number for them.)
inline constexpr std::uint64_t not_reached = std::numeric_limits<std::int64_t>::max();

struct bfs_result {
  std::vector<std::uint64_t> levels;   ///< of own vertices: arcs from the source, or not_reached
  std::vector<std::uint64_t> parents;  ///< a vertex of the level before; the source's is itself
  std::uint64_t reached = 0;           ///< vertices of all ranks
  std::uint64_t depth = 0;             ///< the largest level
  engine_rounds rounds;
  double seconds = 0;
};

/// Collective: breadth-first search along outgoing arcs from a vertex of the whole graph. `graph`
/// must have its outgoing arcs. `on_round(level, active)` is called on every rank.
/// Cost: as vertex_engine.
/// Checked by: distributed_traversal_test.equals_the_oracle
bfs_result bfs(world& world, const local_graph& graph, std::uint64_t source,
               const std::function<void(std::uint64_t level, std::uint64_t active)>& on_round = {},
               const engine_choice& engine = {});

}  // namespace far::apps
