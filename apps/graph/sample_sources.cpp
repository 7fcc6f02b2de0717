#include "apps/graph/sample_sources.hpp"

#include <algorithm>
#include <set>

#include "far/base/random.hpp"

namespace far::apps {
namespace {

/// `count` different numbers below `all`, ascending.
std::set<std::uint64_t> sample(std::uint64_t all, std::uint64_t count, std::uint64_t seed) {
  base::random random(seed);
  std::set<std::uint64_t> chosen;
  for (std::uint64_t last = all - count; last < all; ++last) {
    if (!chosen.insert(random.below(last + 1)).second) chosen.insert(last);
  }
  return chosen;
}

}  // namespace

std::vector<std::uint64_t> sample_sources(world& world, const local_graph& graph,
                                          std::uint64_t count, std::uint64_t seed) {
  const std::vector<std::uint64_t>& offsets = graph.outgoing().offsets;
  const std::uint64_t first = graph.first(world.rank());
  std::vector<std::uint64_t> candidates;
  for (std::size_t v = 0; v < graph.own(); ++v) {
    if (offsets[v] != offsets[v + 1]) candidates.push_back(first + v);
  }
  const std::uint64_t mine = candidates.size();
  const std::uint64_t before = exclusive_scan(world, mine, std::uint64_t{0});
  const std::uint64_t all = allreduce(world, mine);
  // Every rank draws the same numbers, and knows the vertices with some of them.
  std::vector<std::uint64_t> sources;
  for (const std::uint64_t number : sample(all, std::min(count, all), seed)) {
    const bool is_own = number >= before && number - before < mine;
    sources.push_back(is_own ? candidates[number - before] : 0);
  }
  allreduce(world, sources);
  return sources;
}

}  // namespace far::apps
