#pragma once
// Groups of ranks, each with a communicator of MPI.

#include <mpi.h>

#include "armci.h"

namespace far::armci {

/// Of a communicator of libfar's ranks; no group where it is null.
[[nodiscard]] ARMCI_Group group_of(MPI_Comm comm);
/// All ranks.
[[nodiscard]] ARMCI_Group world_group();
/// The rank in `comm` of a rank of the world. Errors: bad_argument if it is no member.
[[nodiscard]] int rank_in(MPI_Comm comm, int world_rank);
/// Of the group. Errors: bad_argument where this rank is no member, and for a null pointer.
[[nodiscard]] MPI_Comm comm_of(const ARMCI_Group* group);

}  // namespace far::armci
