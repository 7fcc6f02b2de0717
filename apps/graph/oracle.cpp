#include "apps/graph/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::apps::oracle {
namespace {

std::vector<std::int64_t> vertex_ids(const std::vector<edge>& edges,
                                     const std::optional<graph_header>& header,
                                     const std::vector<std::int64_t>& listed) {
  constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
  const auto check = [max](std::uint64_t vertices) {
    if (vertices <= max) return;
    throw bad_argument(
        fmt::format("a graph of {} vertices is too large to be computed "
                    "sequentially ({} at most); leave the verification out",
                    vertices, max));
  };
  std::vector<std::int64_t> ids = listed;
  if (header) {
    check(header->vertices);
    ids.resize(static_cast<std::size_t>(header->vertices));
    std::iota(ids.begin(), ids.end(), header->first_id);
    return ids;  // every entry is in the header's range
  }
  ids.reserve(ids.size() + 2 * edges.size());
  for (const edge& e : edges) {
    ids.push_back(e.from);
    ids.push_back(e.to);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  check(ids.size());
  return ids;
}

}  // namespace

graph build(std::vector<edge> edges, graph_rules rules, const std::optional<graph_header>& header,
            const std::vector<std::int64_t>& listed) {
  const bool undirected =
      rules.undirected || (header && (header->symmetric || header->listed_twice));
  graph g;
  g.ids = vertex_ids(edges, header, listed);
  if (header && header->listed_twice) {
    std::erase_if(edges, [](const edge& e) { return e.from > e.to; });
  }
  if (!rules.keep_loops) std::erase_if(edges, [](const edge& e) { return e.from == e.to; });
  if (undirected) {
    for (edge& e : edges) {
      if (e.from > e.to) std::swap(e.from, e.to);
    }
  }
  if (!rules.keep_duplicates) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  g.edges = edges.size();
  const auto vertex = [&](std::int64_t id) {
    const auto at = std::lower_bound(g.ids.begin(), g.ids.end(), id);
    return static_cast<std::uint32_t>(at - g.ids.begin());
  };
  for (const edge& e : edges) {
    const std::uint32_t from = vertex(e.from);
    const std::uint32_t to = vertex(e.to);
    g.arcs.emplace_back(from, to);
    if (undirected && from != to) g.arcs.emplace_back(to, from);
  }
  return g;
}

pagerank_result pagerank(const graph& g, pagerank_settings settings) {
  const std::size_t n = g.ids.size();
  if (n == 0) return {};
  const double vertices = static_cast<double>(n);
  std::vector<double> out_degree(n, 0);
  for (const auto& [from, to] : g.arcs) out_degree[from] += 1;

  pagerank_result result;
  result.ranks.assign(n, 1 / vertices);
  std::vector<double> next(n);
  while (result.iterations < settings.max_iterations) {
    long double change = 0, dangling = 0;  // of many small terms
    for (std::size_t v = 0; v < n; ++v) {
      if (out_degree[v] == 0) dangling += result.ranks[v];
    }
    std::fill(next.begin(), next.end(), 0);
    for (const auto& [from, to] : g.arcs) next[to] += result.ranks[from] / out_degree[from];
    const double everyone = static_cast<double>(dangling) / vertices;
    for (std::size_t v = 0; v < n; ++v) {
      next[v] = (1 - settings.damping) / vertices + settings.damping * (next[v] + everyone);
      change += std::abs(next[v] - result.ranks[v]);
    }
    result.change = static_cast<double>(change);
    result.ranks.swap(next);
    ++result.iterations;
    if (result.change < settings.tolerance) break;
  }
  return result;
}

components_result components(const graph& g) {
  std::vector<std::uint32_t> parent(g.ids.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [from, to] : g.arcs) {
    const std::uint32_t a = root(from);
    const std::uint32_t b = root(to);
    parent[std::max(a, b)] = std::min(a, b);  // so a root is its component's smallest vertex
  }
  components_result result;
  std::vector<std::uint64_t> sizes(g.ids.size(), 0);
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    const std::uint32_t r = root(v);
    result.labels.push_back(g.ids[r]);
    result.count += r == v;
    result.largest = std::max(result.largest, ++sizes[r]);
  }
  return result;
}

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

std::vector<std::uint32_t> top(const std::vector<double>& ranks, std::size_t k) {
  std::vector<std::uint32_t> order(ranks.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(k, order.size()));
  std::partial_sort(order.begin(), middle, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : a < b;
  });
  order.erase(middle, order.end());
  return order;
}

}  // namespace far::apps::oracle
