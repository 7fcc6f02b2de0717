#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "far/fabric/launch.hpp"
#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// A process that runs the program, and the readable ends of its output.
struct spawned {
  pid_t pid = 0;
  int output = -1;
  int errors = -1;
  int exec_error = 0;  ///< why it cannot run the program, and then it has ended; 0: it does
};

/// Starts the processes of a job. While it lives, this process may have many files open, and
/// ignores SIGPIPE; the processes that it starts have neither from it.
class spawner {
 public:
  /// `signals`: the mask that the processes are to have.
  spawner(const launch_options& options, const region& job, const sigset_t& signals);
  ~spawner();
  spawner(const spawner&) = delete;
  spawner& operator=(const spawner&) = delete;

  /// Errors: fabric_error.
  [[nodiscard]] spawned start(int rank);

 private:
  [[noreturn]] void run_program(int rank, int output, int errors, int report) noexcept;
  [[nodiscard]] int inheritable_job() const noexcept;

  const launch_options* options_;
  const region* job_;
  sigset_t signals_;
  pid_t self_;
  int no_input_;
  std::string job_variable_;  // made before the fork, as is all that allocates
  std::vector<char*> arguments_;
  rlimit files_{};
  struct sigaction pipe_signal_ {};
};

}  // namespace far::fabric::shm
