#include "bench/baselines/rmat.hpp"

#include "far/base/random.hpp"

namespace far::bench {
namespace {

// A bijection of `scale` bits: multiplication by an odd number and folding of the high bits are
// bijections.
std::uint32_t mixed(std::uint32_t vertex, int scale) {
  const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  std::uint64_t v = vertex;
  for (int i = 0; i < 3; ++i) {
    v = v * 0x9e3779b97f4a7c15u & mask;
    v ^= v >> (scale / 2 + 1);
  }
  return static_cast<std::uint32_t>(v);
}

}  // namespace

edge_list rmat_edges(int scale, std::uint64_t factor) {
  base::random random(20);
  const std::uint64_t count = factor << scale;
  edge_list edges;
  edges.reserve(count);
  for (std::uint64_t e = 0; e < count; ++e) {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    for (int level = 0; level < scale; ++level) {
      const std::uint64_t chance = random.below(100);
      const bool lower = chance >= 57 + 19;
      const bool right = (chance >= 57 && chance < 57 + 19) || chance >= 57 + 19 + 19;
      from = from << 1 | static_cast<std::uint32_t>(lower);
      to = to << 1 | static_cast<std::uint32_t>(right);
    }
    edges.emplace_back(mixed(from, scale), mixed(to, scale));
  }
  return edges;
}

}  // namespace far::bench
