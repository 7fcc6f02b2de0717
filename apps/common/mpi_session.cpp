#include "apps/common/mpi_session.hpp"

#include <mpi.h>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::apps {

mpi_session::mpi_session(const world& world, const std::string& program) {
  // libfar's service thread, if there is one, does not call MPI.
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != world.rank() || size != world.size()) {
    throw bad_argument(fmt::format(
        "{0}: this process is rank {1} of {2} to MPI and rank {3} of {4} to libfar; start it by "
        "mpirun -n {4}",
        program, rank, size, world.rank(), world.size()));
  }
}

mpi_session::~mpi_session() {
  if (!watch_.is_unwinding()) MPI_Finalize();
}

}  // namespace far::apps
