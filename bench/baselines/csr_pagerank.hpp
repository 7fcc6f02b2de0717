#pragma once
// PageRank as a plain C++ program for one machine, to compare far-graph with: the graph stores
// in-edges in compressed rows (CSR); each thread pulls the ranks of the sources of its rows.

#include <cstdint>
#include <utility>
#include <vector>

namespace far::bench {

/// Row v contains the vertices that point to v.
struct csr_graph {
  std::vector<std::uint64_t> begin;  ///< start of each row in `sources`, and the end of the last
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> out_degree;

  [[nodiscard]] std::uint32_t vertices() const {
    return static_cast<std::uint32_t>(out_degree.size());
  }
};

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The vertices are the numbers that occur, in order. Like far-graph, keeps one of several equal
/// edges, and no edge from a vertex to itself.
[[nodiscard]] csr_graph make_csr(edge_list edges);
/// The same with vertices 0 .. vertices - 1, whether they occur or not.
[[nodiscard]] csr_graph make_csr(edge_list edges, std::uint32_t vertices);

struct pagerank_result {
  std::vector<double> ranks;
  int iterations = 0;
  double ns_per_iteration = 0;
};

/// Damping 0.85; iterates until an iteration changes the ranks by less than 1e-10 in sum, at most
/// 200 times. The rank of vertices without outgoing edges is spread over all vertices.
[[nodiscard]] pagerank_result csr_pagerank(const csr_graph& graph, unsigned threads);

}  // namespace far::bench
