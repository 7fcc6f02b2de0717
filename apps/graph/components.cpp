#include "apps/graph/components.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <unordered_map>

#include "apps/graph/build.hpp"

namespace far::apps {
namespace {

/// Union-find whose roots are the smallest members, by path halving.
class forest {
 public:
  explicit forest(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t root(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// One word per vertex of the whole graph, at its owner: vertex v's is the (v - first)-th there.
class vertex_words {
 public:
  vertex_words(world& world, const local_graph& graph) : world_(&world), graph_(&graph) {
    std::uint64_t most = 0;
    for (std::size_t r = 0; r + 1 < graph.starts.size(); ++r) {
      most = std::max(most, graph.starts[r + 1] - graph.starts[r]);
    }
    words_ = allocate<std::uint64_t>(world, most);
    barrier(world);
  }
  ~vertex_words() {
    if (std::uncaught_exceptions() > 0) return;
    barrier(*world_);
    deallocate(*world_, words_);
  }
  vertex_words(const vertex_words&) = delete;
  vertex_words& operator=(const vertex_words&) = delete;

  [[nodiscard]] atomic_ref<std::uint64_t> operator[](std::uint64_t vertex) const {
    const int owner = owner_of(graph_->starts, vertex);
    return {*world_, words_.on(owner) + static_cast<std::int64_t>(vertex - graph_->first(owner))};
  }

 private:
  world* world_;
  const local_graph* graph_;
  ptr<std::uint64_t> words_;
};

/// A tree of this rank's forest that reaches a ghost: the two must end in one component.
struct bridge {
  std::uint64_t tree;   ///< smallest own vertex of the tree, in the whole graph
  std::uint64_t ghost;  ///< in the whole graph
};

/// Joins along own arcs. On return labels[i] is the smallest own vertex joined with own vertex i.
std::vector<bridge> join_own(const local_graph& graph, std::uint64_t first,
                             std::vector<std::uint64_t>& labels) {
  forest trees(graph.own() + graph.ghosts.size());
  for (std::size_t v = 0; v < graph.own(); ++v) {
    for (std::uint64_t a = graph.offsets[v]; a < graph.offsets[v + 1]; ++a) {
      trees.join(static_cast<std::uint32_t>(v), graph.columns[a]);
    }
  }
  // Own vertices come before ghosts, and each ghost has an own neighbour: roots are own.
  for (std::size_t v = 0; v < graph.own(); ++v) {
    labels.push_back(first + trees.root(static_cast<std::uint32_t>(v)));
  }
  std::vector<bridge> bridges;
  for (std::size_t g = 0; g < graph.ghosts.size(); ++g) {
    const auto root = trees.root(static_cast<std::uint32_t>(graph.own() + g));
    bridges.push_back({first + root, graph.ghosts[g]});
  }
  return bridges;
}

bool any(world& world, bool here) { return allreduce(world, std::uint64_t{here ? 1u : 0u}) != 0; }

/// Hooks trees along bridges and shortens, until every bridge joins equal roots.
///
/// Invariant: when hooking starts every vertex points to its root, so only roots' words change
/// meanwhile. A root that several bridges hook keeps the smallest; what the others joined, they
/// find unequal and join in the next round. No other link is ever lost.
int join_across(world& world, const local_graph& graph, const vertex_words& parent,
                const std::vector<bridge>& bridges) {
  const std::uint64_t first = graph.first(world.rank());
  for (int round = 1;; ++round) {
    bool changed = false;
    for (const bridge& b : bridges) {
      const std::uint64_t mine = parent[b.tree].load();
      const std::uint64_t theirs = parent[b.ghost].load();
      if (mine == theirs) continue;
      changed = true;
      parent[std::max(mine, theirs)].fetch_min(std::min(mine, theirs));
    }
    barrier(world);
    // Roots stay as they are now, while all ranks point their vertices straight to them.
    for (std::uint64_t v = first; v < first + graph.own(); ++v) {
      std::uint64_t up = parent[v].load();
      for (std::uint64_t next = parent[up].load(); next != up; next = parent[up].load()) up = next;
      parent[v].store(up);
    }
    if (!any(world, changed)) return round;
  }
}

}  // namespace

components_result components(world& world, const local_graph& graph) {
  components_result result;
  const std::uint64_t start_ns = world.now();
  const std::uint64_t first = graph.first(world.rank());
  const std::vector<bridge> bridges = join_own(graph, first, result.labels);
  {
    const vertex_words parent(world, graph);
    for (std::size_t i = 0; i < graph.own(); ++i) parent[first + i].store(result.labels[i]);
    barrier(world);
    result.rounds = join_across(world, graph, parent, bridges);
    for (std::size_t i = 0; i < graph.own(); ++i) result.labels[i] = parent[first + i].load();
  }
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;

  const vertex_words sizes(world, graph);
  std::unordered_map<std::uint64_t, std::uint64_t> members;
  for (const std::uint64_t label : result.labels) ++members[label];
  for (const auto& [label, count] : members) sizes[label].fetch_add(count);
  barrier(world);
  std::uint64_t count = 0, largest = 0;
  for (std::uint64_t v = first; v < first + graph.own(); ++v) {
    const std::uint64_t size = sizes[v].load();
    count += size > 0 ? 1 : 0;
    largest = std::max(largest, size);
  }
  result.count = allreduce(world, count);
  result.largest = allreduce(world, largest, [](auto a, auto b) { return std::max(a, b); });
  return result;
}

}  // namespace far::apps
