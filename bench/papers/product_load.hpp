#pragma once
// Matrix products C = A B on a simulated machine: transfers, and the time of computing
// (armci-host-assisted, section 6.2). Nothing is computed: far-matmul is the program that does.
//
// Each matrix is distributed in blocks to 2 x 4 processes. By message passing this is SUMMA (van de
// Geijn and Watts): panel by panel, the column of processes that has the panel of A passes it along
// the rows, from one process to the next, the row that has the panel of B along the columns; then
// all multiply. One-sided it is the algorithm of Global Arrays: each process gets the next chunks
// of A and B that it needs while it multiplies the last ones, beginning at another one than its
// neighbours, so that not all get from one process at the same time.

#include <cstdint>
#include <string>

#include "bench/papers/transfer_jobs.hpp"
#include "far/far.hpp"

namespace far::bench {

/// Multiples of 4, by which the processes divide them.
struct product_size {
  std::uint64_t rows = 0;     ///< of A and C
  std::uint64_t columns = 0;  ///< of B and C
  std::uint64_t inner = 0;    ///< columns of A, rows of B
  double flop_ns = 1;         ///< of one floating-point operation of one process
};

inline constexpr int product_ranks = 8;
inline constexpr int product_ranks_per_node = 2;

/// Nanoseconds from the first process' begin to the last one's end. `panel`: columns of A and rows
/// of B at a time.
[[nodiscard]] double product_by_messages(transfer_jobs& on, const std::string& what,
                                         const product_size& size, std::uint64_t panel);
[[nodiscard]] double product_one_sided(transfer_jobs& on, const std::string& what,
                                       const product_size& size, std::uint64_t chunk,
                                       section_protocol how);

}  // namespace far::bench
