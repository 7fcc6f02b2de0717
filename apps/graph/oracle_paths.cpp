// The part of the oracle that goes along paths from a vertex.

#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "apps/graph/oracle.hpp"

namespace far::apps::oracle {

std::vector<std::optional<std::uint64_t>> levels(const graph& g, std::uint32_t source) {
  std::vector<std::vector<std::uint32_t>> next(g.ids.size());
  for (const auto& [from, to] : g.arcs) next[from].push_back(to);
  std::vector<std::optional<std::uint64_t>> result(g.ids.size());
  result[source] = 0;
  std::deque<std::uint32_t> queue{source};
  for (; !queue.empty(); queue.pop_front()) {
    for (const std::uint32_t to : next[queue.front()]) {
      if (result[to]) continue;
      result[to] = *result[queue.front()] + 1;
      queue.push_back(to);
    }
  }
  return result;
}

std::vector<double> distances(const graph& g, std::uint32_t source) {
  std::vector<std::vector<std::pair<std::uint32_t, double>>> next(g.ids.size());
  for (std::size_t i = 0; i < g.arcs.size(); ++i) {
    next[g.arcs[i].first].emplace_back(g.arcs[i].second, g.weights.empty() ? 1 : g.weights[i]);
  }
  std::vector<double> result(g.ids.size(), std::numeric_limits<double>::infinity());
  using reached = std::pair<double, std::uint32_t>;
  std::priority_queue<reached, std::vector<reached>, std::greater<>> nearest;
  nearest.emplace(result[source] = 0, source);
  while (!nearest.empty()) {
    const auto [length, from] = nearest.top();
    nearest.pop();
    if (length > result[from]) continue;
    for (const auto& [to, weight] : next[from]) {
      if (length + weight < result[to]) nearest.emplace(result[to] = length + weight, to);
    }
  }
  return result;
}

std::vector<double> dependencies(const graph& g, const std::vector<std::uint32_t>& sources) {
  std::vector<std::vector<std::uint32_t>> next(g.ids.size());
  for (const auto& [from, to] : g.arcs) next[from].push_back(to);
  std::vector<double> result(g.ids.size(), 0);
  for (const std::uint32_t source : sources) {
    const auto level = levels(g, source);
    std::vector<double> paths(g.ids.size(), 0), dependency(g.ids.size(), 0);
    std::vector<std::uint32_t> order{source};  // in which they are reached
    std::vector<bool> is_queued(g.ids.size());
    is_queued[source] = true;
    paths[source] = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t from = order[i];
      for (const std::uint32_t to : next[from]) {
        if (level[to] != *level[from] + 1) continue;
        paths[to] += paths[from];
        if (!is_queued[to]) order.push_back(to);
        is_queued[to] = true;
      }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t from = order[i];
      for (const std::uint32_t to : next[from]) {
        if (level[to] != *level[from] + 1) continue;
        dependency[from] += paths[from] / paths[to] * (1 + dependency[to]);
      }
      if (from != source) result[from] += dependency[from];
    }
  }
  return result;
}

}  // namespace far::apps::oracle
