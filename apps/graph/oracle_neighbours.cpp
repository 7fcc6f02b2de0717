// The part of the oracle that looks at who is beside whom.

#include <algorithm>
#include <set>
#include <utility>

#include "apps/graph/oracle.hpp"

namespace far::apps::oracle {
namespace {

using lists = std::vector<std::vector<std::uint32_t>>;

void make_distinct(lists& all) {
  for (auto& list : all) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

/// The other ends of each vertex's arcs, in any direction.
lists neighbours(const graph& g) {
  lists all(g.ids.size());
  for (const auto& [from, to] : g.arcs) {
    if (from == to) continue;
    all[from].push_back(to);
    all[to].push_back(from);
  }
  make_distinct(all);
  return all;
}

/// How many numbers are in both lists.
std::uint64_t count_common(const std::vector<std::uint32_t>& a,
                           const std::vector<std::uint32_t>& b) {
  const auto& [few, many] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
  return static_cast<std::uint64_t>(std::count_if(few.begin(), few.end(), [&many](std::uint32_t v) {
    return std::binary_search(many.begin(), many.end(), v);
  }));
}

}  // namespace

std::vector<std::uint64_t> triangles(const graph& g) {
  const lists beside = neighbours(g);
  std::vector<std::uint64_t> result(g.ids.size(), 0);
  for (std::uint32_t v = 0; v < beside.size(); ++v) {
    // Each of its triangles has two edges at v.
    for (const std::uint32_t w : beside[v]) result[v] += count_common(beside[v], beside[w]);
    result[v] /= 2;
  }
  return result;
}

std::vector<double> clustering(const graph& g) {
  const lists beside = neighbours(g);
  lists next(g.ids.size());
  for (const auto& [from, to] : g.arcs) {
    if (from != to) next[from].push_back(to);
  }
  make_distinct(next);
  std::vector<double> result(g.ids.size(), 0);
  for (std::size_t v = 0; v < beside.size(); ++v) {
    const auto d = static_cast<double>(beside[v].size());
    if (d < 2) continue;
    std::uint64_t arcs = 0;
    for (const std::uint32_t w : beside[v]) arcs += count_common(beside[v], next[w]);
    result[v] = static_cast<double>(arcs) / (d * (d - 1));
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
