// The guarantees of graphs: rounds that are pulled and pushed, by exchange and through arrays, find
// what a queue finds.

#include <cstdint>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "far/graph/graph.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t vertices = 36;
constexpr std::uint64_t unreached = ~std::uint64_t{0};

/// From vertex 0 through a dense part, whose rounds are pulled, and then along a path.
std::vector<arc> arcs_of_search() {
  std::vector<arc> arcs;
  constexpr std::uint64_t dense = vertices - 6;
  for (std::uint64_t v = 0; v < dense; ++v) {
    for (const std::uint64_t step : {1U, 7U, 11U, 19U}) arcs.push_back({v, (v * 5 + step) % dense});
  }
  arcs.push_back({dense - 1, dense});
  for (std::uint64_t v = dense; v + 1 < vertices; ++v) arcs.push_back({v, v + 1});
  return arcs;
}

std::vector<std::uint64_t> levels_by_a_queue(const std::vector<arc>& arcs) {
  std::vector<std::uint64_t> levels(vertices, unreached);
  levels[0] = 0;
  for (std::deque<std::uint64_t> queue{0}; !queue.empty(); queue.pop_front()) {
    for (const arc& one : arcs) {
      if (one.from != queue.front() || levels[one.to] != unreached) continue;
      levels[one.to] = levels[one.from] + 1;
      queue.push_back(one.to);
    }
  }
  return levels;
}

/// By vertex: the smallest vertex from which arcs lead there.
std::vector<std::uint64_t> labels_by_sweeps(const std::vector<arc>& arcs) {
  std::vector<std::uint64_t> labels(vertices);
  std::iota(labels.begin(), labels.end(), std::uint64_t{0});
  for (bool changed = true; std::exchange(changed, false);) {
    for (const arc& one : arcs) {
      if (labels[one.from] >= labels[one.to]) continue;
      labels[one.to] = labels[one.from];
      changed = true;
    }
  }
  return labels;
}

struct level_search {
  using value = std::uint64_t;
  using message = std::uint64_t;
  using combine = minimum;
  static constexpr bool takes_one = true;
  static message send(std::uint64_t vertex) { return vertex; }
  static bool apply(value& level, message, int round) {
    return level = static_cast<std::uint64_t>(round), true;
  }
};

/// The smallest label that reaches a vertex: what it sends depends on its value.
struct smallest_label {
  using value = std::uint64_t;
  using message = std::uint64_t;
  using combine = minimum;
  static message send(std::uint64_t, value label) { return label; }
  static bool apply(value& label, message smallest, int) {
    return smallest < label && (label = smallest, true);
  }
};

template <class Way>
void search(const world& w, const Way& way) {
  const std::vector<arc> arcs = arcs_of_search();
  const csr_graph graph = make_graph(w, vertices, w.rank() == 0 ? arcs : std::vector<arc>());
  const std::vector<std::uint64_t> right_levels = levels_by_a_queue(arcs);
  const std::vector<std::uint64_t> right_labels = labels_by_sweeps(arcs);
  vertex_engine<level_search, Way> levels(w, graph, {}, unreached, way);
  if (levels.owns(0)) levels.start(0, 0);
  levels.run();
  vertex_engine<smallest_label, Way> labels(w, graph, {}, unreached, way);
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (labels.owns(v)) labels.start(v, v);
  }
  labels.run();
  for (std::size_t v = 0; v < graph.own(); ++v) {
    const std::uint64_t vertex = graph.first(w.rank()) + v;
    check(levels.values()[v] == right_levels[vertex], "a level is wrong");
    check(labels.values()[v] == right_labels[vertex], "a label is wrong");
  }
}

const program exchanged("graph_exchanges", {.ranks = 3},
                        [](world& w) { search(w, by_exchange()); });
const program through_arrays("graph_arrays", {.ranks = 3}, [](world& w) {
  search(w, by_array{{.chunk = 8, .force_protocol = true}});
});

}  // namespace
}  // namespace far::mutants
