#pragma once
// The communication of NAS MG (NPB 2.4), and the time of its computing, on a simulated machine
// (armci-host-assisted, section 6.1). Nothing is computed: far-mg is the program that does.
//
// Taken over from the benchmark: the grid of 256 x 256 x 256 points and its levels down to 2, the
// distribution to processes by halving the last dimension first, the V-cycle (restrict, smooth,
// interpolate, residual), and the exchange of ghost points after each of these except
// interpolation, dimension by dimension, each face packed into a buffer and unpacked from one. On
// levels with fewer points than processes, some of them take no part.
//
// Computing takes its floating-point operations, counted as the benchmark counts them (58 for each
// point of the finest grid and iteration), by the processor's assumed rate. Left out: the exchange
// with processes that take no part, and the copies inside one process where a dimension is not
// distributed.

#include <cstdint>
#include <string>

#include "bench/papers/transfer_jobs.hpp"

namespace far::bench {

/// How the faces get to the neighbours.
enum class face_transfer : std::uint8_t {
  messages,   ///< receives are posted, then both faces sent, as in the benchmark
  buffered,   ///< one-sided through buffers, then a signal
  zero_copy,  ///< one-sided, straight into the neighbour's buffer, with a signal
};

struct multigrid_size {
  int ranks = 1;       ///< a power of two
  int iterations = 4;  ///< class A: 4, class B: 20
  double flop_ns = 1;  ///< of one floating-point operation of one process
};

/// Nanoseconds from the first process' begin to the last one's end.
[[nodiscard]] double multigrid_time(transfer_jobs& on, const std::string& what,
                                    const multigrid_size& size, face_transfer how);

}  // namespace far::bench
