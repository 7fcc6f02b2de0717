#pragma once
// Water and LU of oo-dsm-rdma, table 2: far-water and far-lu on a simulated cluster, with the time
// of computing that makes one machine take as long as the paper's.

#include <cstdint>

#include "apps/common/object_protocol.hpp"
#include "apps/water/model.hpp"
#include "bench/papers/object_jobs.hpp"

namespace far::bench {

/// Water. The paper gives no number of steps. Each step computes all forces once.
struct water_size {
  std::uint64_t molecules = 1728;  ///< the paper's
  std::uint64_t evaluations = 75;  ///< of all forces
  /// Of them, twice: after the first ones, in which copies are made and protocols are chosen, all
  /// take as long as the second ones.
  std::uint64_t simulated = 3;
};
struct water_run {
  double seconds = 0;  ///< of all evaluations
  apps::water::energies last;
};
[[nodiscard]] water_run run_water(object_jobs& on, int machines, apps::object_protocol how,
                                  const water_size& size, double pair_ns);

/// LU. The paper gives no size.
struct lu_size {
  std::uint64_t n = 2048;
  std::uint64_t block = 16;
};
struct lu_run {
  double seconds = 0;
  double log_determinant = 0;
};
[[nodiscard]] lu_run run_lu(object_jobs& on, int machines, apps::object_protocol how,
                            const lu_size& size, double flop_ns);

/// Nanoseconds of a pair of molecules, or of a floating-point operation, with which one machine
/// takes so many seconds.
[[nodiscard]] double pair_ns_of(const water_size& size, double seconds) noexcept;
[[nodiscard]] double flop_ns_of(const lu_size& size, double seconds) noexcept;

}  // namespace far::bench
