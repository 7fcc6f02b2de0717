#include "apps/graph/build.hpp"

#include <algorithm>
#include <limits>

#include "apps/graph/exchange_lists.hpp"
#include "apps/graph/numbering.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

struct arc {
  std::uint64_t to;
  std::uint64_t from;
  friend auto operator<=>(const arc&, const arc&) = default;
};

/// Renames vertices from ids to numbers, drops loops, and doubles undirected edges.
std::vector<arc> arcs_of(const std::vector<edge>& edges, const numbering& names,
                         const graph_options& options) {
  std::vector<arc> arcs;
  arcs.reserve(options.undirected ? 2 * edges.size() : edges.size());
  for (const edge& e : edges) {
    const std::uint64_t from = names.of(e.from);
    const std::uint64_t to = names.of(e.to);
    if (from == to && !options.keep_loops) continue;
    arcs.push_back({to, from});
    if (options.undirected && from != to) arcs.push_back({from, to});
  }
  return arcs;
}

/// Divides the vertices into one range per rank with about equal work: an arc costs one unit, a
/// vertex two, because an iteration reads and writes each vertex.
std::vector<std::uint64_t> balanced_starts(world& world, std::uint64_t vertices,
                                           const std::vector<arc>& arcs) {
  const auto size = static_cast<std::uint64_t>(world.size());
  const std::uint64_t width = vertices / (size * 1024) + 1;
  std::vector<std::uint64_t> work(vertices / width + 1, 0);
  for (const arc& a : arcs) ++work[a.to / width];
  allreduce(world, work);
  for (std::uint64_t v = 0; v < vertices; v += width) {
    work[v / width] += 2 * std::min(width, vertices - v);
  }
  std::uint64_t total = 0;
  for (const std::uint64_t w : work) total += w;

  std::vector<std::uint64_t> starts{0};
  std::uint64_t sum = 0;
  for (std::uint64_t bucket = 0; bucket < work.size() && starts.size() < size; ++bucket) {
    // Cut at the bucket boundary that is nearest to the rank's share.
    while (starts.size() < size && sum + work[bucket] / 2 >= total * starts.size() / size) {
      starts.push_back(std::min(bucket * width, vertices));
    }
    sum += work[bucket];
  }
  starts.resize(size, vertices);
  starts.push_back(vertices);
  return starts;
}

/// Sends each arc to the owner of its head, and sorts the received arcs.
std::vector<arc> route_arcs(world& world, const std::vector<arc>& arcs,
                            const std::vector<std::uint64_t>& starts, bool keep_duplicates) {
  std::vector<std::vector<arc>> outgoing(static_cast<std::size_t>(world.size()));
  for (const arc& a : arcs) {
    outgoing[static_cast<std::size_t>(owner_of(starts, a.to))].push_back(a);
  }
  std::vector<arc> mine;
  for (auto& part : exchange_lists(world, outgoing)) {
    mine.insert(mine.end(), part.begin(), part.end());
  }
  std::sort(mine.begin(), mine.end());
  if (!keep_duplicates) mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  return mine;
}

/// Moves the sorted ids from the numbering's slices to the vertices' owners.
std::vector<std::int64_t> route_ids(world& world, const numbering& names,
                                    const std::vector<std::uint64_t>& starts) {
  const auto size = static_cast<std::size_t>(world.size());
  std::vector<std::vector<std::int64_t>> outgoing(size);
  for (std::size_t r = 0; r < size; ++r) {
    const std::uint64_t end = names.first + names.slice.size();
    const std::uint64_t low = std::clamp(starts[r], names.first, end) - names.first;
    const std::uint64_t high = std::clamp(starts[r + 1], names.first, end) - names.first;
    outgoing[r].assign(names.slice.begin() + static_cast<std::ptrdiff_t>(low),
                       names.slice.begin() + static_cast<std::ptrdiff_t>(high));
  }
  std::vector<std::int64_t> ids;
  for (const auto& part : exchange_lists(world, outgoing))
    ids.insert(ids.end(), part.begin(), part.end());
  return ids;
}

/// Fills offsets, columns and ghosts from the sorted arcs.
void compress(local_graph& graph, const std::vector<arc>& arcs, std::uint64_t first) {
  const std::uint64_t last = first + graph.own();
  const auto is_own = [&](std::uint64_t v) { return first <= v && v < last; };
  for (const arc& a : arcs) {
    if (!is_own(a.from)) graph.ghosts.push_back(a.from);
  }
  std::sort(graph.ghosts.begin(), graph.ghosts.end());
  graph.ghosts.erase(std::unique(graph.ghosts.begin(), graph.ghosts.end()), graph.ghosts.end());
  if (graph.own() + graph.ghosts.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw bad_argument("a rank's share of the graph exceeds 2^32 vertices: use more ranks");
  }
  graph.offsets.assign(graph.own() + 1, 0);
  graph.columns.reserve(arcs.size());
  for (const arc& a : arcs) {
    ++graph.offsets[a.to - first + 1];
    if (is_own(a.from)) {
      graph.columns.push_back(static_cast<std::uint32_t>(a.from - first));
    } else {
      const auto ghost = std::lower_bound(graph.ghosts.begin(), graph.ghosts.end(), a.from);
      graph.columns.push_back(static_cast<std::uint32_t>(
          graph.own() + static_cast<std::size_t>(ghost - graph.ghosts.begin())));
    }
  }
  for (std::size_t i = 0; i < graph.own(); ++i) graph.offsets[i + 1] += graph.offsets[i];
}

}  // namespace

int owner_of(const std::vector<std::uint64_t>& starts, std::uint64_t vertex) {
  return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), vertex) - starts.begin()) -
         1;
}

local_graph build_graph(world& world, std::vector<edge> edges, graph_options options,
                        const std::optional<matrix_header>& matrix) {
  if (matrix && matrix->symmetric) options.undirected = true;
  const numbering names = number_vertices(world, edges, matrix);
  std::vector<arc> arcs = arcs_of(edges, names, options);
  std::vector<edge>().swap(edges);

  local_graph graph;
  graph.vertices = names.vertices;
  graph.starts = balanced_starts(world, graph.vertices, arcs);
  graph.ids = route_ids(world, names, graph.starts);
  arcs = route_arcs(world, arcs, graph.starts, options.keep_duplicates);
  compress(graph, arcs, graph.first(world.rank()));
  const auto counted = std::count_if(arcs.begin(), arcs.end(), [&](const arc& a) {
    return !options.undirected || a.from <= a.to;  // count one of the two directions
  });
  graph.edges = allreduce(world, static_cast<std::uint64_t>(counted));
  return graph;
}

}  // namespace far::apps
