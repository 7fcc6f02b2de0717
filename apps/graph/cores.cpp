#include "apps/graph/cores.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "apps/graph/build.hpp"
#include "apps/graph/ghost_lookup.hpp"
#include "apps/graph/neighbourhoods.hpp"
#include "far/graph/exchange_lists.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// The own neighbours of each ghost.
struct ghost_neighbours {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> vertices;

  ghost_neighbours(const local_graph& graph, const neighbourhoods& neighbours)
      : offsets(graph.ghosts.size() + 2, 0) {
    // Two places later than the index, so that filling leaves them as they should be.
    const auto own = static_cast<std::uint32_t>(graph.own());
    for (const std::uint32_t c : neighbours.columns) {
      if (c >= own) ++offsets[c - own + 2];
    }
    for (std::size_t i = 2; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    vertices.resize(offsets.back());
    for (std::uint32_t v = 0; v < own; ++v) {
      for (const std::uint32_t c : neighbours.of(v)) {
        if (c >= own) vertices[offsets[c - own + 1]++] = v;
      }
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t ghost) const {
    return {vertices.data() + offsets[ghost], vertices.data() + offsets[ghost + 1]};
  }
};

/// Upper bounds of the core numbers of own vertices and ghosts.
class core_bounds {
 public:
  core_bounds(world& world, const local_graph& graph, const neighbourhoods& neighbours)
      : world_(&world),
        graph_(&graph),
        neighbours_(&neighbours),
        of_ghosts_(graph, neighbours),
        lookup_(graph.ghosts, graph.vertices),
        has_fallen_(graph.own()) {
    ghost_exchange<std::uint64_t> exchange(world, graph);
    for (std::size_t v = 0; v < graph.own(); ++v) exchange.next()[v] = neighbours.degree(v);
    exchange.bring();
    for (const std::uint64_t degree : exchange.values()) {
      bounds_.push_back(static_cast<std::uint32_t>(degree));
    }
    for (std::uint32_t v = 0; v < graph.own(); ++v) {
      const auto supports = [&](std::uint32_t c) { return bounds_[c] >= bounds_[v]; };
      support_.push_back(
          static_cast<std::uint32_t>(std::ranges::count_if(neighbours.of(v), supports)));
      if (support_[v] < bounds_[v]) unsupported_.push_back(v);
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> own() const {
    return std::span(bounds_).first(graph_->own());
  }

  /// Lowers bounds of own vertices until none falls.
  void settle() {
    // First in, first out: a vertex whose neighbours fall soon waits, and falls once for all.
    for (std::size_t i = 0; i < unsupported_.size(); ++i) lower(unsupported_[i]);
    unsupported_.clear();
  }

  /// Collective: sends the bounds that fell to the ranks where they are those of ghosts. Returns
  /// how many of all ranks' vertices have fallen and are ghosts anywhere.
  std::uint64_t exchange() {
    std::vector<std::vector<addressed>> outgoing(graph_->starts.size() - 1);
    std::uint64_t sent = 0;
    for (const std::uint32_t v : std::exchange(fallen_, {})) {
      has_fallen_[v] = false;
      sent += send(v, outgoing);
    }
    for (const auto& list : exchange_lists(*world_, outgoing)) {
      for (const addressed& one : list) {
        const std::uint32_t ghost = *lookup_.find(one.vertex);
        const auto column = static_cast<std::uint32_t>(graph_->own() + ghost);
        const auto bound = static_cast<std::uint32_t>(one.bound);
        const std::uint32_t before = std::exchange(bounds_[column], bound);
        for (const std::uint32_t v : of_ghosts_.of(ghost)) withdraw(v, before, bound);
      }
    }
    return allreduce(*world_, sent);
  }

 private:
  struct addressed {
    std::uint64_t vertex;  ///< in the whole graph
    std::uint64_t bound;
  };

  /// A neighbour of own vertex v has fallen.
  void withdraw(std::uint32_t v, std::uint32_t before, std::uint32_t now) {
    if (before < bounds_[v] || now >= bounds_[v]) return;
    // A vertex becomes unsupported once, until it is lowered.
    if (support_[v]-- == bounds_[v]) unsupported_.push_back(v);
  }

  /// Lowers the bound of own vertex v to the largest k such that k neighbours have bounds of k.
  void lower(std::uint32_t v) {
    const std::uint32_t before = bounds_[v];
    histogram_.assign(before + 1, 0);
    for (const std::uint32_t c : neighbours_->of(v)) ++histogram_[std::min(bounds_[c], before)];
    std::uint32_t now = before;
    std::uint32_t support = histogram_[now];
    while (support < now) support += histogram_[--now];
    bounds_[v] = now;
    support_[v] = support;
    for (const std::uint32_t c : neighbours_->of(v)) {
      if (c < graph_->own()) withdraw(c, before, now);
    }
    if (!std::exchange(has_fallen_[v], true)) fallen_.push_back(v);
  }

  /// Returns whether any other rank has v as a ghost: those that own its neighbours.
  bool send(std::uint32_t v, std::vector<std::vector<addressed>>& outgoing) const {
    const std::uint64_t first = graph_->first(world_->rank());
    std::uint64_t end = 0;  // of the vertices of ranks to which it has gone
    for (const std::uint32_t c : neighbours_->of(v)) {
      if (c < graph_->own()) continue;
      const std::uint64_t ghost = graph_->ghosts[c - graph_->own()];  // ascending
      if (ghost < end) continue;
      const auto owner = static_cast<std::size_t>(owner_of(graph_->starts, ghost));
      outgoing[owner].push_back({first + v, bounds_[v]});
      end = graph_->starts[owner + 1];
    }
    return end != 0;
  }

  world* world_;
  const local_graph* graph_;
  const neighbourhoods* neighbours_;
  ghost_neighbours of_ghosts_;
  ghost_lookup lookup_;
  std::vector<std::uint32_t> bounds_;       // by column
  std::vector<std::uint32_t> support_;      // by own vertex: neighbours whose bounds are not lower
  std::vector<std::uint32_t> unsupported_;  // own vertices with less support than their bounds
  std::vector<std::uint32_t> fallen_;       // own vertices, since the last exchange
  std::vector<char> has_fallen_;
  std::vector<std::uint32_t> histogram_;
};

}  // namespace

cores_result cores(world& world, const local_graph& graph,
                   const std::function<void(std::uint64_t)>& on_round) {
  cores_result result;
  const std::uint64_t start_ns = world.now();
  const neighbourhoods neighbours = neighbourhoods_of(world, graph);
  core_bounds bounds(world, graph, neighbours);
  for (;;) {
    bounds.settle();
    const std::uint64_t changed = bounds.exchange();
    if (changed == 0) break;
    ++result.rounds;
    if (on_round) on_round(changed);
  }
  result.cores.assign(bounds.own().begin(), bounds.own().end());
  const std::uint64_t mine = result.cores.empty() ? 0 : std::ranges::max(result.cores);
  result.largest = allreduce(world, mine, maximum());
  result.vertices = allreduce(
      world, static_cast<std::uint64_t>(std::ranges::count(result.cores, result.largest)));
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  return result;
}

}  // namespace far::apps
