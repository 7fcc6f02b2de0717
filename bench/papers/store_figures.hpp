#pragma once
// Figure 17 of darray on a simulated machine: a key-value store (row C9).

#include <cstddef>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/array_jobs.hpp"
#include "bench/papers/store_loads.hpp"

namespace far::bench {

/// Where to measure, and how much.
struct store_places {
  std::vector<int> nodes;    ///< ascending; with one thread each
  std::vector<int> threads;  ///< of each of the most nodes; ascending from 1
  store_sizes sizes = {};
};

/// The default; `quick`: much less, to see that it works.
[[nodiscard]] store_places store_places_of(std::vector<int> nodes, bool quick);

/// The names of curves.
namespace store_names {

inline constexpr const char* element_locks = "cached arrays, element locks";
inline constexpr const char* copies = "far::store";
inline constexpr const char* no_copies = "far::store, no copies";
inline constexpr const char* calls = "calls";

}  // namespace store_names

struct store_results {
  std::vector<figure> by_nodes;    ///< for YCSB C, B and A: 100, 95 and 50 % get
  std::vector<figure> by_threads;  ///< the same
};

[[nodiscard]] std::size_t store_jobs_of(const store_places& at);
[[nodiscard]] store_results measure_stores(array_jobs& on, const store_places& at);
/// The paper's claim, and the goals of SPEC's C9.
[[nodiscard]] std::vector<claim> store_claims(const store_results& found);

}  // namespace far::bench
