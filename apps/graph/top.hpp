#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// A vertex of large rank.
struct top_vertex {
  std::int64_t id = 0;
  double rank = 0;
};

/// Collective: the k vertices of largest rank, the smaller id first among equals, on every rank.
std::vector<top_vertex> top_vertices(world& world, const local_graph& graph,
                                     const std::vector<double>& ranks, std::size_t k);

/// Collective: the names of these vertices, wherever in the file they were; empty for none.
std::vector<std::string> names_of(world& world, const std::vector<top_vertex>& vertices,
                                  const std::unordered_map<std::int64_t, std::string>& known);

}  // namespace far::apps
