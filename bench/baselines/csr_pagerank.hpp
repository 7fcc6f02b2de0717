#pragma once
// PageRank as a plain C++ program for one machine computes it, to compare far-graph with: the
// graph by its incoming edges in compressed rows (CSR), each thread pulling the ranks of its own
// rows' sources.

#include <cstdint>
#include <utility>
#include <vector>

namespace far::bench {

/// Row v holds the vertices that point at v.
struct csr_graph {
  std::vector<std::uint64_t> begin;  ///< of each row in `sources`, and the end of the last
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> out_degree;

  [[nodiscard]] std::uint32_t vertices() const {
    return static_cast<std::uint32_t>(out_degree.size());
  }
};

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Vertices are the numbers that occur, in their order; of equal edges one is kept, and none from
/// a vertex to itself, as far-graph has it.
[[nodiscard]] csr_graph make_csr(edge_list edges);

struct pagerank_result {
  std::vector<double> ranks;
  int iterations = 0;
  double ns_per_iteration = 0;
};

/// Damping 0.85, until an iteration changes the ranks by less than 1e-10 in sum, or 200 times; the
/// rank of vertices without outgoing edges is spread over all.
[[nodiscard]] pagerank_result csr_pagerank(const csr_graph& graph, unsigned threads);

}  // namespace far::bench
