#include "apps/graph/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

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
            const std::vector<std::int64_t>& listed, const std::vector<double>& weights) {
  const bool undirected =
      rules.undirected || (header && (header->symmetric || header->listed_twice));
  graph g;
  g.ids = vertex_ids(edges, header, listed);
  std::vector<std::pair<edge, double>> kept;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edge e = edges[i];
    if (header && header->listed_twice && e.from > e.to) continue;
    if (!rules.keep_loops && e.from == e.to) continue;
    if (undirected && e.from > e.to) std::swap(e.from, e.to);
    kept.emplace_back(e, weights.empty() ? 1 : weights[i]);
  }
  edges = {};
  if (!rules.keep_duplicates) {
    std::sort(kept.begin(), kept.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    kept.erase(std::unique(kept.begin(), kept.end(), same), kept.end());
  }
  g.edges = kept.size();
  const auto vertex = [&](std::int64_t id) {
    const auto at = std::lower_bound(g.ids.begin(), g.ids.end(), id);
    return static_cast<std::uint32_t>(at - g.ids.begin());
  };
  const auto add = [&](std::uint32_t from, std::uint32_t to, double weight) {
    g.arcs.emplace_back(from, to);
    if (!weights.empty()) g.weights.push_back(weight);
  };
  for (const auto& [e, weight] : kept) {
    const std::uint32_t from = vertex(e.from);
    const std::uint32_t to = vertex(e.to);
    add(from, to, weight);
    if (undirected && from != to) add(to, from, weight);
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

std::vector<std::uint32_t> communities(const graph& g, bool undirected, int iterations) {
  std::vector<std::uint32_t> labels(g.ids.size());
  std::iota(labels.begin(), labels.end(), 0U);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<std::map<std::uint32_t, int>> votes(labels.size());
    for (const auto& [from, to] : g.arcs) {
      ++votes[to][labels[from]];
      if (!undirected) ++votes[from][labels[to]];
    }
    for (std::size_t v = 0; v < labels.size(); ++v) {
      int most = 0;
      for (const auto& [label, count] : votes[v]) {  // ascending labels: of equals, the smallest
        if (count > most) labels[v] = label;
        most = std::max(most, count);
      }
    }
  }
  return labels;
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
