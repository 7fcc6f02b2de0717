#pragma once
// What collectives of the interface have in common: the library's collectives, on the lane of the
// calling thread.

#include "shmem/context.hpp"
#include "shmem/runtime.hpp"
#include "shmem/team.hpp"

namespace far::shmem {

/// Calls f(world, team), a collective of the library.
template <class F>
void collectively(far_shmem_team& team, F f) {
  const lane_use use = lane_here();
  f(use->world(), team.members);
}

/// Completes the operations of the default context, then waits for all PEs.
void barrier_all();
/// Waits for the members of a team.
void sync(far_shmem_team& team);

}  // namespace far::shmem
