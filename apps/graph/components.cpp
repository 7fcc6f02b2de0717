#include "apps/graph/components.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <span>
#include <unordered_map>

#include "apps/graph/build.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// Union-find with path halving; the root of a tree is its smallest member.
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

/// One word per vertex of the whole graph, at its owner: vertex v has word v - first there.
class vertex_words {
 public:
  vertex_words(world& world, const local_graph& graph) : world_(&world), graph_(&graph) {
    std::uint64_t max = 0;
    for (std::size_t r = 0; r + 1 < graph.starts.size(); ++r) {
      max = std::max(max, graph.starts[r + 1] - graph.starts[r]);
    }
    words_ = allocate<std::uint64_t>(world, max);
    barrier(world);
  }
  ~vertex_words() {
    scope_.leave(*world_);
    try {
      deallocate(*world_, words_);
    } catch (const std::exception&) {
      // The job has failed: its memory is freed with it.
    }
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
  collective_scope scope_;
};

/// A tree of this rank's forest that contains a ghost: the two must end in one component.
struct bridge {
  std::size_t tree;   ///< column of the smallest own vertex of the tree
  std::size_t ghost;  ///< column of the ghost
};

/// Joins vertices along own arcs. On return labels[i] is the smallest own vertex joined with own
/// vertex i.
std::vector<bridge> join_own(const local_graph& graph, std::uint64_t first,
                             std::vector<std::uint64_t>& labels) {
  forest trees(graph.own() + graph.ghosts.size());
  for (std::size_t v = 0; v < graph.own(); ++v) {
    for (std::uint64_t a = graph.in.offsets[v]; a < graph.in.offsets[v + 1]; ++a) {
      trees.join(static_cast<std::uint32_t>(v), graph.in.columns[a]);
    }
  }
  // Own vertices precede ghosts, and each ghost has an own neighbour: so all roots are own.
  for (std::size_t v = 0; v < graph.own(); ++v) {
    labels.push_back(first + trees.root(static_cast<std::uint32_t>(v)));
  }
  std::vector<bridge> bridges;
  for (std::size_t g = graph.own(); g < graph.own() + graph.ghosts.size(); ++g) {
    bridges.push_back({trees.root(static_cast<std::uint32_t>(g)), g});
  }
  return bridges;
}

bool any(world& world, bool here) { return allreduce(world, std::uint64_t{here ? 1u : 0u}) != 0; }

/// Loads the words of these vertices, with up to a window of loads in flight.
std::vector<std::uint64_t> load_all(const vertex_words& words,
                                    std::span<const std::uint64_t> vertices) {
  constexpr std::size_t window = 4096;
  std::vector<std::uint64_t> result;
  std::vector<future<std::uint64_t>> loads;
  for (std::size_t begin = 0; begin < vertices.size(); begin += window) {
    for (const std::uint64_t v :
         vertices.subspan(begin).first(std::min(window, vertices.size() - begin))) {
      loads.push_back(words[v].load_async());
    }
    for (auto& load : loads) result.push_back(load.get());
    loads.clear();
  }
  return result;
}

/// Replaces labels by the roots of their trees.
/// Cost: a round trip per link of the longest chain.
void shorten(const vertex_words& parent, std::span<std::uint64_t> labels) {
  std::vector<std::uint64_t> before(labels.begin(), labels.end());
  std::ranges::sort(before);
  before.erase(std::ranges::unique(before).begin(), before.end());
  std::vector<std::uint64_t> after = before;
  for (std::vector<std::uint64_t> up; (up = load_all(parent, after)) != after;) after.swap(up);
  for (std::uint64_t& label : labels) {
    const auto place = std::ranges::lower_bound(before, label) - before.begin();
    label = after[static_cast<std::size_t>(place)];
  }
}

/// Hooks trees along bridges and shortens labels, until every bridge joins equal roots. `labels`
/// are the roots of own vertices.
///
/// Invariant: when hooking starts, every label is a root, so hooking changes only the words of
/// roots. A root that several bridges hook keeps the smallest; the other bridges find unequal
/// labels in the next round and hook again. No rank changes a word while ranks shorten.
int join_across(world& world, const local_graph& graph, const vertex_words& parent,
                const std::vector<bridge>& bridges, std::span<std::uint64_t> labels) {
  ghost_exchange<std::uint64_t> exchange(world, graph);
  for (int round = 1;; ++round) {
    std::ranges::copy(labels, exchange.next().begin());
    exchange.bring();
    std::unordered_map<std::uint64_t, std::uint64_t> hooks;  // root to smaller root
    for (const bridge& b : bridges) {
      const std::uint64_t mine = exchange.values()[b.tree];
      const std::uint64_t theirs = exchange.values()[b.ghost];
      if (mine == theirs) continue;
      const auto hook = hooks.try_emplace(std::max(mine, theirs), std::min(mine, theirs)).first;
      hook->second = std::min({hook->second, mine, theirs});
    }
    std::vector<future<std::uint64_t>> in_flight;
    for (const auto& [root, smaller] : hooks) {
      in_flight.push_back(parent[root].fetch_min_async(smaller));
    }
    for (auto& hooking : in_flight) hooking.wait();
    barrier(world);
    shorten(parent, labels);
    if (!any(world, !hooks.empty())) return round;
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
    for (std::uint64_t v = first; v < first + graph.own(); ++v) parent[v].store(v);
    barrier(world);
    result.rounds = join_across(world, graph, parent, bridges, result.labels);
  }
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;

  const vertex_words sizes(world, graph);
  std::unordered_map<std::uint64_t, std::uint64_t> members;
  for (const std::uint64_t label : result.labels) ++members[label];
  std::vector<future<std::uint64_t>> in_flight;
  for (const auto& [label, count] : members) {
    in_flight.push_back(sizes[label].fetch_add_async(count));
  }
  for (auto& adding : in_flight) adding.wait();
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
