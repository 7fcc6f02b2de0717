#pragma once
// MPI in a program whose ranks are also those of a job of libfar.

#include <string>

#include "far/world/world.hpp"

namespace far::apps {

/// MPI, from the constructor to the destructor; once in a process. Collective.
class mpi_session {
 public:
  /// Errors: bad_argument if MPI's ranks are not those of the job.
  mpi_session(const world& view, const std::string& program);
  ~mpi_session();
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
};

}  // namespace far::apps
