#pragma once
// A sequential and simple reference: `--verify` and the tests compare the distributed computations
// with it. It shares no code with them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps::oracle {

/// Which edges of a file are in the graph.
struct graph_rules {
  bool undirected = false;       ///< a-b and b-a are the same edge, which has both directions
  bool keep_duplicates = false;  ///< if false, equal edges count once
  bool keep_loops = false;       ///< if false, an edge from a vertex to itself only adds the vertex
};

struct graph {
  std::vector<std::int64_t> ids;  ///< sorted; a vertex is an index here
  /// (from, to); contains an undirected edge in both directions, an undirected loop once.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  std::vector<double> weights;  ///< one per arc, if there are any
  std::uint64_t edges = 0;      ///< after the rules; undirected ones count once
};

/// The vertices are those of a header; else all ids in `edges` and those in `listed`. The edges of
/// a symmetric matrix, and of METIS lists, are always undirected, whatever the rules. `weights`:
/// one per edge, or none; of equal edges that count once, the smallest. Errors: bad_argument beyond
/// 2^32 vertices.
[[nodiscard]] graph build(std::vector<edge> edges, graph_rules rules,
                          const std::optional<graph_header>& header = {},
                          const std::vector<std::int64_t>& listed = {},
                          const std::vector<double>& weights = {});

struct pagerank_settings {
  double damping = 0.85;
  double tolerance = 1e-10;  ///< stop when an iteration changes the ranks by less than this in sum
  int max_iterations = 200;
};

struct pagerank_result {
  std::vector<double> ranks;  ///< by vertex; they sum to 1
  int iterations = 0;
  double change = 0;  ///< sum of the absolute changes in the last iteration
};

/// The rank of vertices without outgoing edges is spread evenly over all vertices. Each of several
/// parallel arcs carries a share.
[[nodiscard]] pagerank_result pagerank(const graph& g, pagerank_settings settings = {});

struct components_result {
  std::vector<std::int64_t> labels;  ///< by vertex: the smallest id of its component
  std::uint64_t count = 0;
  std::uint64_t largest = 0;  ///< vertices in the largest component
};

/// Weakly connected components.
[[nodiscard]] components_result components(const graph& g);

/// By vertex: the number of arcs on a shortest path from `source`, or nothing if there is none.
[[nodiscard]] std::vector<std::optional<std::uint64_t>> levels(const graph& g,
                                                               std::uint32_t source);

/// By vertex: the length of a shortest path from `source`, where an arc is as long as its weight,
/// or 1 without weights; infinity if there is none. No weight is negative.
[[nodiscard]] std::vector<double> distances(const graph& g, std::uint32_t source);

/// By vertex: the sum of its dependencies on these sources. The dependency on a source is the sum,
/// over all targets other than the vertex, of the share of the shortest paths from the source to
/// the target that lead through the vertex; that of the source itself is 0.
[[nodiscard]] std::vector<double> dependencies(const graph& g,
                                               const std::vector<std::uint32_t>& sources);

/// By vertex: how many triangles of the undirected graph under g it is a corner of.
[[nodiscard]] std::vector<std::uint64_t> triangles(const graph& g);

/// By vertex: the local clustering coefficient (clustering.hpp).
[[nodiscard]] std::vector<double> clustering(const graph& g);

/// By vertex: the largest k such that it is in a part of the undirected graph under g in which each
/// vertex has k neighbours.
[[nodiscard]] std::vector<std::uint64_t> cores(const graph& g);

/// Labels by vertex after so many iterations of label propagation (communities.hpp).
[[nodiscard]] std::vector<std::uint32_t> communities(const graph& g, bool undirected,
                                                     int iterations);

/// The k vertices of largest rank; vertices of equal rank are sorted by id.
[[nodiscard]] std::vector<std::uint32_t> top(const std::vector<double>& ranks, std::size_t k);

}  // namespace far::apps::oracle
