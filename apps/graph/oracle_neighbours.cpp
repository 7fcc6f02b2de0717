// The part of the oracle that looks at who is beside whom.

#include <algorithm>
#include <set>
#include <utility>

#include "apps/graph/oracle.hpp"

namespace far::apps::oracle {
namespace {

using lists = std::vector<std::vector<std::uint32_t>>;

/// The other ends of each vertex's arcs, in any direction.
lists neighbours(const graph& g) {
  lists all(g.ids.size());
  for (const auto& [from, to] : g.arcs) {
    if (from == to) continue;
    all[from].push_back(to);
    all[to].push_back(from);
  }
  for (auto& list : all) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return all;
}

/// By vertex: the sum of weight(v, w) over the edges v-w of whose ends it is a neighbour.
template <class Weight>
std::vector<std::uint64_t> sum_over_opposite_edges(const lists& beside, Weight weight) {
  std::vector<std::uint64_t> sums(beside.size(), 0);
  std::vector<bool> is_beside_v(beside.size());
  for (std::uint32_t v = 0; v < beside.size(); ++v) {
    for (const std::uint32_t x : beside[v]) is_beside_v[x] = true;
    for (const std::uint32_t w : beside[v]) {
      // Once for each edge, and the shorter list is gone through.
      if (std::pair(beside[w].size(), w) > std::pair(beside[v].size(), v)) continue;
      const std::uint64_t more = weight(v, w);
      for (const std::uint32_t x : beside[w]) sums[x] += is_beside_v[x] ? more : 0;
    }
    for (const std::uint32_t x : beside[v]) is_beside_v[x] = false;
  }
  return sums;
}

}  // namespace

std::vector<std::uint64_t> triangles(const graph& g) {
  return sum_over_opposite_edges(neighbours(g), [](std::uint32_t, std::uint32_t) { return 1U; });
}

std::vector<double> clustering(const graph& g) {
  auto arcs = g.arcs;
  std::sort(arcs.begin(), arcs.end());
  const auto arcs_between = [&arcs](std::uint32_t v, std::uint32_t w) {
    return (std::binary_search(arcs.begin(), arcs.end(), std::pair(v, w)) ? 1U : 0U) +
           (std::binary_search(arcs.begin(), arcs.end(), std::pair(w, v)) ? 1U : 0U);
  };
  const lists beside = neighbours(g);
  const auto opposite = sum_over_opposite_edges(beside, arcs_between);
  std::vector<double> result(g.ids.size(), 0);
  for (std::size_t v = 0; v < beside.size(); ++v) {
    const auto d = static_cast<double>(beside[v].size());
    if (d >= 2) result[v] = static_cast<double>(opposite[v]) / (d * (d - 1));
  }
  return result;
}

std::vector<std::uint64_t> cores(const graph& g) {
  const lists beside = neighbours(g);
  std::vector<std::uint64_t> result(g.ids.size(), 0);
  std::set<std::pair<std::uint64_t, std::uint32_t>> left;  // by the number of neighbours left
  std::vector<std::uint64_t> degree;
  for (std::uint32_t v = 0; v < beside.size(); ++v) {
    degree.push_back(beside[v].size());
    left.emplace(degree[v], v);
  }
  std::uint64_t core = 0;
  while (!left.empty()) {
    const auto [fewest, v] = *left.begin();
    left.erase(left.begin());
    result[v] = core = std::max(core, fewest);
    for (const std::uint32_t w : beside[v]) {
      if (left.erase({degree[w], w}) == 1) left.emplace(--degree[w], w);
    }
  }
  return result;
}

}  // namespace far::apps::oracle
