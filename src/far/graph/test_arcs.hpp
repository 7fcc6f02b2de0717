#pragma once
// Shared by tests: random arcs, dealt out to the ranks.

#include <cstdint>
#include <span>
#include <vector>

#include "far/base/random.hpp"
#include "far/graph/make_graph.hpp"
#include "far/world/world.hpp"

namespace far::graphs::testing {

/// Low vertices are more frequent; loops, equal arcs, and vertices without arcs occur.
inline std::vector<arc> random_arcs(std::uint64_t seed, std::uint64_t vertices, std::size_t count) {
  base::random random(seed);
  const auto vertex = [&] {
    const std::uint64_t v = random() % vertices;
    return random() % 3 == 0 ? v / 8 : v;
  };
  std::vector<arc> arcs(count);
  for (arc& one : arcs) one = {vertex(), vertex()};
  return arcs;
}

/// This rank's part of a list.
template <class T>
std::vector<T> share_of(const world& world, const std::vector<T>& all) {
  std::vector<T> mine;
  for (auto i = static_cast<std::size_t>(world.rank()); i < all.size();
       i += static_cast<std::size_t>(world.size())) {
    mine.push_back(all[i]);
  }
  return mine;
}

/// The number in the whole graph of a column.
inline std::uint64_t vertex_of(const csr_graph& graph, int rank, std::uint32_t column) {
  return column < graph.own() ? graph.first(rank) + column : graph.ghosts.at(column - graph.own());
}

}  // namespace far::graphs::testing
