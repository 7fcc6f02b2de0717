#pragma once
// All ranks, as messages and reductions see them. These are MPI's, so they work as soon as MPI
// does: before ARMCI_Init too, and after ARMCI_Finalize.

#include <mpi.h>

namespace far::armci {

struct mpi_ranks {
  MPI_Comm comm;  ///< the runtime's, if ARMCI is initialized
  int own;
  int count;

  /// Errors: bad_argument unless MPI is initialized.
  [[nodiscard]] static mpi_ranks now();
  /// Errors: bad_argument unless `proc` is a rank.
  void check(int proc) const;
};

}  // namespace far::armci
