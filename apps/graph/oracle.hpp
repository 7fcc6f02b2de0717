#pragma once
// The graph computations once more, sequentially and as plainly as can be: what `--verify` and
// the tests compare the distributed ones with. Nothing here is shared with those.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/reader_types.hpp"

namespace far::apps::oracle {

/// Which edges of a file are in the graph.
struct graph_rules {
  bool undirected = false;       ///< a-b and b-a are one edge, which leads both ways
  bool keep_duplicates = false;  ///< else equal edges count once
  bool keep_loops = false;       ///< else an edge from a vertex to itself only makes the vertex
};

struct graph {
  std::vector<std::int64_t> ids;  ///< sorted; a vertex is an index here
  /// (from, to); an undirected edge is there in both directions, an undirected loop once.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  std::uint64_t edges = 0;  ///< after the rules; undirected ones count once
};

/// Vertices are all ids that occur in `edges`, and 1..n of a matrix. The edges of a symmetric
/// matrix are undirected whatever the rules say.
/// Errors: bad_argument beyond 2^32 vertices.
[[nodiscard]] graph build(std::vector<edge> edges, graph_rules rules,
                          const std::optional<matrix_header>& matrix = {});

struct pagerank_settings {
  double damping = 0.85;
  double tolerance = 1e-10;  ///< stop when an iteration changes the ranks by less, summed up
  int most_iterations = 200;
};

struct pagerank_result {
  std::vector<double> ranks;  ///< by vertex; they sum to 1
  int iterations = 0;
  double change = 0;  ///< of the last iteration, summed up
};

/// The rank of vertices without outgoing edges is spread evenly over all vertices. Parallel arcs
/// carry a share each.
[[nodiscard]] pagerank_result pagerank(const graph& g, pagerank_settings settings = {});

struct components_result {
  std::vector<std::int64_t> labels;  ///< by vertex: the smallest id of its component
  std::uint64_t count = 0;
  std::uint64_t largest = 0;  ///< vertices in the largest component
};

/// Weakly connected components.
[[nodiscard]] components_result components(const graph& g);

/// The k vertices of largest rank, the smaller id first among equals.
[[nodiscard]] std::vector<std::uint32_t> top(const std::vector<double>& ranks, std::size_t k);

}  // namespace far::apps::oracle
