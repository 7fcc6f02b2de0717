#pragma once
// Figure 16 of darray on a simulated machine: PageRank and components of a graph (row C10).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/simulated_jobs.hpp"

namespace far::bench {

/// Where to measure, and how much.
struct graph_places {
  std::vector<int> nodes;         ///< ascending
  int scale = 21;                 ///< 2^scale vertices
  std::uint64_t edge_factor = 4;  ///< edges a vertex
};

/// The default; `quick`: much smaller, to see that it works.
[[nodiscard]] graph_places graph_places_of(std::vector<int> nodes, bool quick);

/// The names of curves.
namespace graph_names {

inline constexpr const char* exchange = "exchange";
inline constexpr const char* chunks_of_512 = "array, chunks of 512";
inline constexpr const char* chunks_of_8192 = "array, chunks of 8192";

}  // namespace graph_names

struct graph_results {
  std::vector<figure> pagerank;    ///< of an iteration; 1 and 24 cores a node
  std::vector<figure> components;  ///< of the whole computation
};

[[nodiscard]] std::size_t graph_jobs_of(const graph_places& at);
[[nodiscard]] graph_results measure_graphs(simulated_jobs& on, const graph_places& at);
/// The paper's claims, and the goals of SPEC's C10.
[[nodiscard]] std::vector<claim> graph_claims(const graph_results& found);

}  // namespace far::bench
