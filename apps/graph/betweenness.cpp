#include "apps/graph/betweenness.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "apps/graph/build.hpp"
#include "far/base/error.hpp"
#include "far/graph/exchange_lists.hpp"
#include "far/graph/ghost_exchange.hpp"
#include "far/graph/vertex_engine.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t no_level = ~std::uint64_t{0};

/// So that shares of paths keep all their digits.
constexpr double max_paths = 1e300;

/// A message is the number of shortest paths to the vertex that sends it.
struct count_paths {
  struct value {
    std::uint64_t level = no_level;
    double paths = 0;
  };
  using message = double;
  using combine = std::plus<>;

  static message send(std::uint64_t, const value& v) { return v.paths; }
  static bool wants(const value& v) { return v.level == no_level; }
  static bool apply(value& v, message paths, int round) {
    v = {static_cast<std::uint64_t>(round), paths};
    return true;
  }
};

/// The search from one source, and what it says of the dependencies on it.
class dependency_search {
 public:
  /// `levels` is for the levels of vertices, and is used by one search at a time.
  dependency_search(world& world, const local_graph& graph, ghost_exchange<std::uint64_t>& levels,
                    std::uint64_t source)
      : world_(&world), graph_(&graph), shares_(graph.own() + graph.ghosts.size(), 0.0) {
    search(source);
    for (std::size_t v = 0; v < values_.size(); ++v) levels.next()[v] = values_[v].level;
    levels.bring();  // since the last, all ranks have entered the collectives of a search
    levels_ = levels.values();
  }

  /// Adds the dependencies of own vertices.
  void add_to(std::vector<double>& sums) {
    // The last level depends on nothing, and the source does not count.
    for (std::uint64_t level = by_level_.size(); level-- > 1;) {
      // What vertices of this level pass on to their predecessors for each path.
      for (const std::uint32_t v : by_level_[level]) {
        const double dependency = values_[v].paths * std::exchange(shares_[v], 0.0);
        sums[v] += dependency;
        if (level > 1) pass_on(v, (1 + dependency) / values_[v].paths);
      }
      if (level > 1) send_to_owners();
    }
  }

 private:
  struct addressed {
    std::uint64_t vertex;
    double share;
  };

  void search(std::uint64_t source) {
    vertex_engine<count_paths> engine(*world_, *graph_);
    if (engine.owns(source)) engine.start(source, {0, 1});
    std::uint64_t levels = 0;
    (void)engine.run([&](std::uint64_t) { ++levels; });
    values_.assign(engine.values().begin(), engine.values().end());
    by_level_.resize(levels);
    double most = 0;
    for (std::uint32_t v = 0; v < values_.size(); ++v) {
      if (values_[v].level == no_level) continue;
      by_level_[values_[v].level].push_back(v);
      most = std::max(most, values_[v].paths);
    }
    if (allreduce(*world_, most, maximum()) <= max_paths) return;
    throw bad_argument(
        fmt::format("betweenness counts at most {:.0e} shortest paths between two vertices, and "
                    "there are more: choose other sources",
                    max_paths));
  }

  /// Adds a share to each predecessor of own vertex v.
  void pass_on(std::uint32_t v, double share) {
    const adjacency& arcs = graph_->in;
    const std::uint64_t before = levels_[v] - 1;
    for (std::uint64_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
      const std::uint32_t column = arcs.columns[a];
      if (levels_[column] != before) continue;
      if (column >= graph_->own() && shares_[column] == 0) touched_.push_back(column);
      shares_[column] += share;
    }
  }

  void send_to_owners() {
    std::vector<std::vector<addressed>> outgoing(graph_->starts.size() - 1);
    for (const std::uint32_t column : std::exchange(touched_, {})) {
      const std::uint64_t vertex = graph_->ghosts[column - graph_->own()];
      outgoing[static_cast<std::size_t>(owner_of(graph_->starts, vertex))].push_back(
          {vertex, std::exchange(shares_[column], 0.0)});
    }
    const std::uint64_t first = graph_->first(world_->rank());
    for (const auto& list : exchange_lists(*world_, outgoing)) {
      for (const addressed& one : list) shares_[one.vertex - first] += one.share;
    }
  }

  world* world_;
  const local_graph* graph_;
  std::vector<count_paths::value> values_;            // of own vertices
  std::vector<std::vector<std::uint32_t>> by_level_;  // own vertices
  std::span<const std::uint64_t> levels_;             // by column
  std::vector<double> shares_;          // by column: dependency for each path, as received so far
  std::vector<std::uint32_t> touched_;  // ghosts with a share
};

}  // namespace

betweenness_result betweenness(world& world, const local_graph& graph,
                               const std::vector<std::uint64_t>& sources,
                               const std::function<void(std::size_t)>& on_source) {
  betweenness_result result;
  result.values.assign(graph.own(), 0.0);
  const std::uint64_t start_ns = world.now();
  ghost_exchange<std::uint64_t> levels(world, graph);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    dependency_search(world, graph, levels, sources[i]).add_to(result.values);
    if (on_source) on_source(i + 1);
  }
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  return result;
}

}  // namespace far::apps
