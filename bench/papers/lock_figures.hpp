#pragma once
// Figures 3 to 6 of rma-locks on a simulated machine.

#include <string>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/lock_jobs.hpp"

namespace far::bench {

/// The numbers of ranks of figures, and the number of runs.
struct lock_places {
  static constexpr int many = 2048;  ///< with more ranks, a measurement takes long

  std::vector<int> ranks;
  int seeds = 1;          ///< for most measurements
  int claimed_seeds = 5;  ///< for those that goals are about

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

/// Figure 3, exclusive locks: LB, ECSB, SOB, WCSB, WARB.
[[nodiscard]] std::vector<figure> exclusive_figures(lock_jobs& on, const lock_places& at);

/// Figure 5, readers-writer locks: ECSB, then SOB, then the latency, by writers' shares; last,
/// RMA-RW by the share.
[[nodiscard]] std::vector<figure> shared_figures(lock_jobs& on, const lock_places& at);

/// Figure 4: thresholds of RMA-RW compared with its default ones. Figure 4g, which is not in the
/// paper: while the share of writers changes.
[[nodiscard]] std::vector<figure> threshold_figures(lock_jobs& on, const lock_places& at);

/// Figure 6: a hashtable's volume that all other ranks access, by writers' shares.
[[nodiscard]] std::vector<figure> table_figures(lock_jobs& on, const lock_places& at);

/// Figures 3 and 5 on the same machine with `same_word_gap` 0, up to 256 ranks. `on` must be that
/// machine.
[[nodiscard]] std::vector<figure> gapless_figures(lock_jobs& on, const lock_places& at);

}  // namespace far::bench
