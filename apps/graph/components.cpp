#include "apps/graph/components.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

#include "apps/graph/build.hpp"
#include "apps/graph/column_forest.hpp"
#include "apps/graph/tree_labels.hpp"
#include "far/base/random.hpp"
#include "far/graph/exchange_lists.hpp"

namespace far::apps {
namespace {

constexpr std::uint64_t first_arcs = 2;     // of a vertex, which are looked at first
constexpr std::size_t vertices_ahead = 16;  // whose first arcs are prefetched
constexpr std::uint64_t sampled_vertices = 1024;
constexpr std::size_t sampled_ghosts = 256;
constexpr std::uint64_t no_tree = std::numeric_limits<std::uint64_t>::max();

/// Joins each vertex with its first neighbours.
void link_first_arcs(const local_graph& graph, column_forest& trees) {
  for (std::size_t v = 0; v < graph.own(); ++v) {
    const std::uint64_t begin = graph.in.offsets[v];
    const std::size_t later = std::min(v + vertices_ahead, graph.own() - 1);
    __builtin_prefetch(graph.in.columns.data() + graph.in.offsets[later]);
    const std::uint64_t end = std::min(begin + first_arcs, graph.in.offsets[v + 1]);
    for (std::uint64_t a = begin; a < end; ++a) {
      trees.link(static_cast<std::uint32_t>(v), graph.in.columns[a]);
    }
  }
  trees.flatten();
}

/// Joins each vertex with all of its neighbours, unless it is in the tree of this root.
void link_all_arcs(const local_graph& graph, column_forest& trees,
                   std::optional<std::uint32_t> skipped) {
  for (std::size_t v = 0; v < graph.own(); ++v) {
    if (trees.root(v) == skipped) continue;
    for (std::uint64_t a = graph.in.offsets[v]; a < graph.in.offsets[v + 1]; ++a) {
      trees.link(static_cast<std::uint32_t>(v), graph.in.columns[a]);
    }
  }
  trees.flatten();
}

/// A tree, and an estimate of its size.
struct sized_tree {
  std::uint64_t vertices;
  std::uint64_t root;
};

/// The tree that is probably the largest of this rank, by a sample. Requires an own vertex.
sized_tree largest_tree(const local_graph& graph, const column_forest& trees) {
  base::random next(1);
  std::unordered_map<std::uint32_t, std::uint64_t> found;
  for (std::uint64_t i = 0; i < sampled_vertices; ++i) ++found[trees.root(next.below(graph.own()))];
  const auto most =
      std::ranges::max_element(found, {}, [](const auto& entry) { return entry.second; });
  return {most->second * graph.own() / sampled_vertices, most->first};
}

/// The ghosts in trees that are wanted, ascending; not those that are in no tree with own vertices.
std::vector<std::uint32_t> ghosts_in_trees(const local_graph& graph, const column_forest& trees,
                                           auto wanted) {
  std::vector<std::uint32_t> result;
  for (std::size_t g = 0; g < graph.ghosts.size(); ++g) {
    const std::uint32_t root = trees.root(graph.own() + g);
    if (root < graph.own() && wanted(root)) result.push_back(static_cast<std::uint32_t>(g));
  }
  return result;
}

/// Collective: the links between own trees and those which their ghosts are in at their owners.
std::vector<tree_link> links_by(std::span<const std::uint32_t> ghosts, const local_graph& graph,
                                const column_forest& trees, const tree_labels& labels) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(ghosts.size());
  for (const std::uint32_t g : ghosts) vertices.push_back(graph.ghosts[g]);
  const std::vector<std::uint64_t> there = labels.of(vertices);
  std::vector<tree_link> links;
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    const std::uint64_t here = labels[trees.root(graph.own() + ghosts[i])];
    const tree_link link{std::max(here, there[i]), std::min(here, there[i])};
    if (here != there[i] && (links.empty() || links.back() != link)) links.push_back(link);
  }
  return links;
}

/// Collective: finds large trees of several ranks that are in one component. Returns the root of
/// this rank's tree, if it has one of them.
std::optional<std::uint32_t> tree_of_large_component(world& world, const local_graph& graph,
                                                     const column_forest& trees,
                                                     tree_labels& labels) {
  sized_tree here{0, no_tree};
  if (graph.own() > 0) here = largest_tree(graph, trees);
  std::vector<std::uint32_t> ghosts =
      ghosts_in_trees(graph, trees, [&](std::uint32_t root) { return root == here.root; });
  const std::size_t step = ghosts.size() / sampled_ghosts + 1;
  for (std::size_t i = 0; i * step < ghosts.size(); ++i) ghosts[i] = ghosts[i * step];
  ghosts.resize((ghosts.size() + step - 1) / step);
  labels.join(links_by(ghosts, graph, trees, labels));

  const sized_tree labelled{here.vertices, graph.own() > 0 ? labels[here.root] : here.root};
  const sized_tree largest = allreduce(world, labelled, [](sized_tree a, sized_tree b) {
    return std::max(a, b, [](auto x, auto y) { return x.vertices < y.vertices; });
  });
  labels.reset();
  if (graph.own() == 0 || labelled.root != largest.root) return {};
  return static_cast<std::uint32_t>(here.root);
}

/// Collective: gives one label to the trees with these vertices, which are in one component.
void label_equally(world& world, const local_graph& graph, const column_forest& trees,
                   std::optional<std::uint32_t> vertex, tree_labels& labels) {
  const std::uint64_t here = vertex ? graph.first(world.rank()) + trees.root(*vertex) : no_tree;
  const std::uint64_t label = allreduce(world, here, [](auto a, auto b) { return std::min(a, b); });
  if (label < here && vertex) labels.hook(trees.root(*vertex), label);
}

/// Vertices that one rank owns of a component.
struct share {
  std::uint64_t label;
  std::uint64_t vertices;
};

/// Collective: counts components and the vertices of the largest.
void count_members(world& world, const local_graph& graph, components_result& result) {
  const std::uint64_t first = graph.first(world.rank());
  std::vector<std::uint64_t> sizes(graph.own());  // by label
  std::unordered_map<std::uint64_t, std::uint64_t> elsewhere;
  std::uint64_t last = no_tree;  // the label that `counter` counts; often the next one, too
  std::uint64_t* counter = nullptr;
  for (const std::uint64_t label : result.labels) {
    if (label >= first) {
      ++sizes[label - first];
      continue;
    }
    if (label != last) counter = &elsewhere[last = label];
    ++*counter;
  }
  std::vector<std::vector<share>> shares(static_cast<std::size_t>(world.size()));
  for (const auto& [label, vertices] : elsewhere) {
    shares[static_cast<std::size_t>(owner_of(graph.starts, label))].push_back({label, vertices});
  }
  for (const auto& list : exchange_lists(world, shares)) {
    for (const share& s : list) sizes[s.label - first] += s.vertices;
  }
  const auto count = graph.own() - static_cast<std::size_t>(std::ranges::count(sizes, 0u));
  result.count = allreduce(world, std::uint64_t{count});
  result.largest = allreduce(world, sizes.empty() ? 0 : std::ranges::max(sizes),
                             [](auto a, auto b) { return std::max(a, b); });
}

}  // namespace

components_result components(world& world, const local_graph& graph) {
  components_result result;
  const std::uint64_t start_ns = world.now();
  column_forest trees(graph.own() + graph.ghosts.size());
  tree_labels labels(world, graph, trees);
  std::optional<std::uint32_t> shared;  // a vertex of the component whose arcs need no visit
  if (graph.undirected) {
    link_first_arcs(graph, trees);
    shared = tree_of_large_component(world, graph, trees, labels);
  }
  link_all_arcs(graph, trees, shared);
  label_equally(world, graph, trees, shared, labels);
  const auto ghosts = ghosts_in_trees(
      graph, trees, [&](std::uint32_t root) { return !shared || root != trees.root(*shared); });
  result.rounds = labels.join(links_by(ghosts, graph, trees, labels));
  result.labels = labels.take();
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  count_members(world, graph, result);
  return result;
}

}  // namespace far::apps
