#pragma once
// The micro-benchmarks of oo-dsm-rdma, section 6, each as one job of a thread on each machine.
// Plain instructions take no time in a simulation, so each round computes for `work_ns`.

#include <cstdint>

#include "bench/papers/object_jobs.hpp"
#include "far/object/options.hpp"

namespace far::bench {

/// What the machine was fitted on: nanoseconds of a put of 8 bytes, and of one of two messages
/// there and back, between two machines of which the second computes.
struct machine_times {
  double put = 0;
  double message = 0;
};
[[nodiscard]] machine_times time_machine(object_jobs& on);

/// Nanoseconds between two locks. 0: there were none.
struct lock_times {
  double all = 0;     ///< of all machines together
  double home = 0;    ///< of the machine that has the object
  double remote = 0;  ///< of one other machine
};
/// All threads enter and leave the monitor of one object in a loop, for `duration_ns`.
[[nodiscard]] lock_times lock_loop(object_jobs& on, int machines, const object_space_options& how,
                                   std::uint64_t duration_ns, double work_ns);

/// Nanoseconds of one barrier: an object with a counter, its monitor, wait and notify_all.
[[nodiscard]] double barrier_loop(object_jobs& on, int machines, const object_space_options& how,
                                  int rounds);

/// Nanoseconds of one node when one machine walks a list of `nodes` nodes, which the others have.
[[nodiscard]] double list_walk(object_jobs& on, int machines, const object_space_options& how,
                               int nodes);

inline constexpr std::uint64_t changed_bytes = 32 << 10;

/// Nanoseconds of one round, in which each thread changes elements of one array of 32 KB of
/// doubles, every `every`-th beginning with one of its own, and then enters and leaves an empty
/// monitor. `every`: at least the number of machines. Errors: far::error if a change is lost.
[[nodiscard]] double change_loop(object_jobs& on, int machines, object_space_options how, int every,
                                 int rounds, double work_ns);

}  // namespace far::bench
