#include "apps/graph/communities.hpp"

#include <algorithm>
#include <span>

#include "apps/graph/build.hpp"
#include "far/graph/exchange_lists.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {
namespace {

/// The most frequent label, of several the smallest. Sorts them; there is at least one.
std::uint64_t most_frequent(std::vector<std::uint64_t>& labels) {
  std::ranges::sort(labels);
  std::uint64_t best = labels.front();
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < labels.size();) {
    std::size_t end = begin;
    while (end < labels.size() && labels[end] == labels[begin]) ++end;
    if (end - begin > most) {
      most = end - begin;
      best = labels[begin];
    }
    begin = end;
  }
  return best;
}

/// How many labels there are, counted by their owners.
std::uint64_t count_labels(world& world, const local_graph& graph,
                           std::vector<std::uint64_t> labels) {
  std::ranges::sort(labels);
  const auto rest = std::ranges::unique(labels);
  labels.erase(rest.begin(), rest.end());
  std::vector<std::vector<std::uint64_t>> by_owner(graph.starts.size() - 1);
  for (const std::uint64_t label : labels) {
    by_owner[static_cast<std::size_t>(owner_of(graph.starts, label))].push_back(label);
  }
  std::vector<char> is_used(graph.own());
  const std::uint64_t first = graph.first(world.rank());
  for (const auto& list : exchange_lists(world, by_owner)) {
    for (const std::uint64_t label : list) is_used[label - first] = true;
  }
  return allreduce(world, static_cast<std::uint64_t>(std::ranges::count(is_used, true)));
}

}  // namespace

communities_result communities(world& world, const local_graph& graph, int iterations,
                               const std::function<void(int, std::uint64_t)>& on_iteration) {
  communities_result result;
  const std::uint64_t first = graph.first(world.rank());
  for (std::uint64_t v = 0; v < graph.own(); ++v) result.labels.push_back(first + v);
  const std::uint64_t start_ns = world.now();
  ghost_exchange<std::uint64_t> exchange(world, graph);
  std::vector<std::uint64_t> near;
  while (result.iterations < iterations) {
    std::ranges::copy(result.labels, exchange.next().begin());
    exchange.bring();
    std::uint64_t changed = 0;
    const auto add = [&](const adjacency& arcs, std::size_t v) {
      for (std::uint64_t a = arcs.offsets[v]; a < arcs.offsets[v + 1]; ++a) {
        near.push_back(exchange.values()[arcs.columns[a]]);
      }
    };
    for (std::size_t v = 0; v < graph.own(); ++v) {
      near.clear();
      add(graph.in, v);
      if (!graph.undirected) add(graph.outgoing(), v);
      if (near.empty()) continue;
      const std::uint64_t label = most_frequent(near);
      if (label != result.labels[v]) ++changed;
      result.labels[v] = label;
    }
    ++result.iterations;
    changed = allreduce(world, changed);  // also keeps ghost_exchange's invariant
    if (on_iteration) on_iteration(result.iterations, changed);
    if (changed == 0) break;
  }
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  result.count = count_labels(world, graph, result.labels);
  return result;
}

}  // namespace far::apps
