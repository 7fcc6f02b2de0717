#include "apps/graph/top.hpp"

#include <algorithm>

namespace far::apps {
namespace {

bool before(const top_vertex& a, const top_vertex& b) {
  return a.value != b.value ? a.value > b.value : a.id < b.id;
}

void keep_first(std::vector<top_vertex>& vertices, std::size_t k) {
  const auto end = vertices.begin() + static_cast<std::ptrdiff_t>(std::min(k, vertices.size()));
  std::partial_sort(vertices.begin(), end, vertices.end(), before);
  vertices.erase(end, vertices.end());
}

}  // namespace

std::vector<top_vertex> top_vertices(world& world, const local_graph& graph,
                                     const std::vector<double>& values, std::size_t k) {
  std::vector<top_vertex> own;
  own.reserve(graph.own());
  for (std::size_t v = 0; v < graph.own(); ++v) own.push_back({graph.ids[v], values[v]});
  keep_first(own, k);
  std::vector<top_vertex> all = allgatherv(world, own);
  keep_first(all, k);
  return all;
}

std::vector<std::string> names_of(world& world, const std::vector<top_vertex>& vertices,
                                  const std::unordered_map<std::int64_t, std::string>& known) {
  struct place {
    std::uint64_t vertex;  // index in `vertices`
    std::uint64_t length;  // length of its name
  };
  std::vector<place> mine;
  std::string letters;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto found = known.find(vertices[i].id);
    if (found == known.end()) continue;
    mine.push_back({i, found->second.size()});
    letters += found->second;
  }
  const std::vector<char> all = allgatherv(world, letters);
  std::vector<std::string> names(vertices.size());
  auto from = all.begin();
  for (const place& p : allgatherv(world, mine)) {
    const auto to = from + static_cast<std::ptrdiff_t>(p.length);
    // A file may name a vertex twice, in two ranks' parts: use the lowest rank's name.
    if (names[p.vertex].empty()) names[p.vertex].assign(from, to);
    from = to;
  }
  return names;
}

}  // namespace far::apps
