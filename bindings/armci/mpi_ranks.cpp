#include "armci/mpi_ranks.hpp"

#include <fmt/format.h>

#include "armci/runtime.hpp"
#include "far/base/error.hpp"

namespace far::armci {

mpi_ranks mpi_ranks::now() {
  if (runtime::is_initialized()) {
    const runtime& self = runtime::get();
    return {self.comm(), self.rank(), self.size()};
  }
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (!initialized || finalized) {
    throw bad_argument(
        "there are no messages before MPI is initialized, nor after it has ended: call "
        "armci_msg_init, MPI_Init or ARMCI_Init first");
  }
  mpi_ranks result{MPI_COMM_WORLD, 0, 0};
  MPI_Comm_rank(result.comm, &result.own);
  MPI_Comm_size(result.comm, &result.count);
  return result;
}

void mpi_ranks::check(int proc) const {
  if (proc >= 0 && proc < count) return;
  throw bad_argument(fmt::format("there is no rank {}: ranks are 0 to {}", proc, count - 1));
}

}  // namespace far::armci
