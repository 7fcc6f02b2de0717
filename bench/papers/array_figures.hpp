#pragma once
// Figures 1, 12 to 15 and 18 of darray on a simulated machine.

#include <cstddef>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/array_jobs.hpp"
#include "bench/papers/array_loads.hpp"

namespace far::bench {

/// Where to measure, and how much.
struct array_places {
  std::vector<int> nodes;    ///< ascending
  std::vector<int> threads;  ///< of a node, in figure 12; ascending
  int few_nodes = 6;         ///< of figure 1
  int some_nodes = 3;        ///< of figure 12
  array_sizes sweeps;
  array_sizes samples;        ///< of sweeps whose accesses all cost the same
  array_sizes thread_sweeps;  ///< of figure 12
  array_sizes close_sweeps;   ///< the same with threads so close that they hinder each other
  array_sizes small_cache;    ///< of sweeps with evictions
  array_sizes updates;        ///< of Zipf's distribution
  array_sizes locked;         ///< the same, under locks
  array_sizes uniform;        ///< of random accesses
  array_sizes uniform_plain;  ///< the same where nothing changes with time
};

/// The default; `quick`: much smaller, to see that it works. `nodes` may be empty.
[[nodiscard]] array_places array_places_of(std::vector<int> nodes, bool quick);

/// The names of curves.
namespace array_names {

inline constexpr const char* uncached = "far::array";
inline constexpr const char* stored = "far::array, atomic store";
inline constexpr const char* cached = "cached_array";
inline constexpr const char* always = "cached_array, always cached";
inline constexpr const char* counted = "cached_array, the paper's path";
inline constexpr const char* pinned = "cached_array, pinned";
inline constexpr const char* exclusive = "lock, get, put";

}  // namespace array_names

/// "read", "write", "operate".
[[nodiscard]] const char* name_of(array_access how) noexcept;
inline constexpr array_access all_accesses[] = {array_access::read, array_access::write,
                                                array_access::operate};

struct array_results {
  figure first;                     ///< figure 1
  std::vector<figure> by_threads;   ///< figures 12a to c: read, write, operate
  std::vector<figure> by_nodes;     ///< figures 13a to c
  figure updates;                   ///< figure 14a, throughput
  figure update_times;              ///< figure 14b, latency
  figure pins;                      ///< figure 15
  std::vector<figure> random;       ///< figures 18a to c
  std::vector<double> small_cache;  ///< as figure 13 at most nodes, ns, with evictions
  double close_writes = 0;          ///< as figure 12b at most threads, ns, with close threads
};

/// The number of jobs, for the progress bar.
[[nodiscard]] std::size_t array_jobs_of(const array_places& at);
[[nodiscard]] array_results measure_arrays(array_jobs& on, const array_places& at);

}  // namespace far::bench
