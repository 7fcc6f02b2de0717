#pragma once
// The figures 3 to 6 of rma-locks on a simulated machine.

#include <string>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/lock_jobs.hpp"

namespace far::bench {

/// Where figures are measured, and how much.
struct lock_places {
  static constexpr int many = 2048;  ///< beyond so many ranks a measurement takes long

  std::vector<int> ranks;
  int seeds = 1;          ///< of most measurements
  int claimed_seeds = 5;  ///< of those that bars are about

  [[nodiscard]] int seeds_at(int n, bool claimed) const noexcept {
    return claimed && n <= many ? claimed_seeds : seeds;
  }
};

/// The names of curves.
namespace lock_names {

inline constexpr const char* spin = "spin, published";
inline constexpr const char* spin_best = "spin, back-off";
inline constexpr const char* queue = "D-MCS";
inline constexpr const char* tree = "RMA-MCS";
inline constexpr const char* mpi = "MPI RW, published";
inline constexpr const char* mpi_best = "MPI RW, back-off";
inline constexpr const char* rw = "RMA-RW";
inline constexpr const char* atomics = "atomics only";
inline constexpr const char* by_itself = "by itself";

}  // namespace lock_names

/// Figure 3, locks of one holder: LB, ECSB, SOB, WCSB, WARB.
[[nodiscard]] std::vector<figure> exclusive_figures(lock_jobs& on, const lock_places& at);

/// Figure 5, locks of readers and writers: ECSB, then SOB, then the latency, by writers' shares;
/// and RMA-RW by the share (the last).
[[nodiscard]] std::vector<figure> shared_figures(lock_jobs& on, const lock_places& at);

/// Figure 4, thresholds of RMA-RW, beside those that it has by itself; 4g, which the paper has not,
/// while the share of writers changes.
[[nodiscard]] std::vector<figure> threshold_figures(lock_jobs& on, const lock_places& at);

/// Figure 6: a hashtable's volume that all other ranks work on, by writers' shares.
[[nodiscard]] std::vector<figure> table_figures(lock_jobs& on, const lock_places& at);

/// What figures 3 and 5 show on the same machine but for `same_word_gap`, which is 0; up to 256
/// ranks. `on`: that machine.
[[nodiscard]] std::vector<figure> gapless_figures(lock_jobs& on, const lock_places& at);

}  // namespace far::bench
