#pragma once
// Contexts that programs create, and the lanes behind them and behind the default context.

#include "far_shmem/constants.h"
#include "shmem/lane.hpp"
#include "shmem/team.hpp"

struct far_shmem_ctx {
  far_shmem_team* team;
  shmem_team_t handle;  ///< of the team
  const int* pes;       ///< the team's; null: its members are all PEs, in order
  int size;
  long options;
  far::shmem::lane* lane = nullptr;
};

namespace far::shmem {

/// The lane for an operation on a context, as this thread uses it.
/// Errors: bad_argument for SHMEM_CTX_INVALID and what is no context.
[[nodiscard]] lane_use lane_of(shmem_ctx_t context);
/// The lane of the calling thread behind the default context.
[[nodiscard]] lane_use lane_here();

/// The number in the job of the PE that a call on the context names; -1: there is none.
[[nodiscard]] inline int world_pe(shmem_ctx_t context, int pe) noexcept {
  if (context == SHMEM_CTX_DEFAULT) return pe;
  if (context == SHMEM_CTX_INVALID) return -1;
  if (context->pes == nullptr) return pe;
  return static_cast<unsigned>(pe) < static_cast<unsigned>(context->size) ? context->pes[pe] : -1;
}
/// The same for a slow path. Errors: bad_argument that says why.
[[nodiscard]] int checked_pe(shmem_ctx_t context, int pe);

/// Completes the operations of a context; of the default one, those of all threads. Those of other
/// contexts may be completed, too.
void complete(shmem_ctx_t context);
/// The same for those at one PE.
void complete(shmem_ctx_t context, int pe);

/// Destroys the contexts of a team, or all (null).
void destroy_contexts(const far_shmem_team* of);

}  // namespace far::shmem
