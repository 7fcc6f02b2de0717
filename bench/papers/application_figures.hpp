#pragma once
// Figures 11 and 12 of armci-host-assisted on a simulated machine: NAS MG and matrix products.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/transfer_jobs.hpp"

namespace far::bench {

/// How fast a process computes on one of the paper's machines.
struct computing_rates {
  double grid_flop_ns;     ///< of loops over grids
  double product_flop_ns;  ///< of dgemm
};
[[nodiscard]] computing_rates rates_of(std::string_view profile) noexcept;

struct application_places {
  std::vector<int> ranks;               ///< of MG: powers of two
  std::vector<std::uint64_t> products;  ///< rows of the matrices
};
/// `ranks` may be empty.
/// Errors: bad_argument if one is not a power of two, or less than 2 or more than 512.
[[nodiscard]] application_places application_places_of(const std::vector<int>& ranks, bool quick);

/// Figure 11: the times of MG, by processes, for each class; and of class A if computing took none.
struct multigrid_results {
  figure class_a;
  figure class_b;
  figure only_transfers;
};
[[nodiscard]] std::size_t multigrid_jobs_of(const application_places& at);
[[nodiscard]] multigrid_results measure_multigrid(transfer_jobs& on, const application_places& at);

/// Figure 12: the times of products, of square matrices and of those with 512 columns.
struct product_results {
  figure square;
  figure rectangular;
};
[[nodiscard]] std::size_t product_jobs_of(const application_places& at);
[[nodiscard]] product_results measure_products(transfer_jobs& on, const application_places& at);

}  // namespace far::bench
