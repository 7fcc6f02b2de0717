#pragma once
// MPI in a program whose ranks are also those of a job of libfar.

#include <string>

#include "far/base/unwinding.hpp"
#include "far/world/world.hpp"

namespace far::apps {

/// MPI, from the constructor to the destructor; once in a process. Collective. An exception may
/// destroy it on one rank only; then it does not end MPI, which would wait for the other ranks.
class mpi_session {
 public:
  /// Errors: bad_argument if MPI's ranks are not those of the job.
  mpi_session(const world& world, const std::string& program);
  ~mpi_session();
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

 private:
  base::unwind_watch watch_;
};

}  // namespace far::apps
