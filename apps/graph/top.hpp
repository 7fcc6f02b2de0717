#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/graph/local_graph.hpp"
#include "far/far.hpp"

namespace far::apps {

/// A vertex and its value, such as its PageRank.
struct top_vertex {
  std::int64_t id = 0;
  double value = 0;
};

/// Collective: returns the k vertices of largest value on every rank; vertices of equal value are
/// sorted by id.
std::vector<top_vertex> top_vertices(world& world, const local_graph& graph,
                                     const std::vector<double>& values, std::size_t k);

/// Collective: returns the names of these vertices from all parts of the file; empty for a vertex
/// without a name.
std::vector<std::string> names_of(world& world, const std::vector<top_vertex>& vertices,
                                  const std::unordered_map<std::int64_t, std::string>& known);

}  // namespace far::apps
