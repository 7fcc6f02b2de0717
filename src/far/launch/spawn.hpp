#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "far/base/function_ref.hpp"
#include "far/fabric/shm/region.hpp"
#include "far/launch/launch.hpp"

namespace far::launch {

namespace shm = fabric::shm;

/// A process that runs a program, and the readable ends of its output.
struct spawned {
  pid_t pid = 0;
  int output = -1;
  int errors = -1;
  int exec_error = 0;  ///< why it cannot run the program, and then it has ended; 0: it does
};

struct pipe_ends {
  int reads = -1;
  int writes = -1;
};

/// A pipe of which the processes started see neither end. Errors: fabric_error naming `who`.
pipe_ends make_pipe(const std::string& who);

/// Starts a process. `prepare` runs in it, after a fork: it sees to everything but the output, and
/// must not allocate. The output's ends do not block. Errors: fabric_error naming `who`.
[[nodiscard]] spawned spawn(const std::string& who, const std::vector<char*>& arguments,
                            base::function_ref<void()> prepare);

/// Why a program cannot be run, for the user; and the launcher's status for that.
std::string describe_exec_error(const std::string& program, int why);
int status_of_exec_error(int why) noexcept;

/// While it lives, this process may have many files open, and ignores SIGPIPE.
class launcher_settings {
 public:
  launcher_settings() noexcept;
  ~launcher_settings();
  launcher_settings(const launcher_settings&) = delete;
  launcher_settings& operator=(const launcher_settings&) = delete;

  /// In a process that it starts: as before.
  void restore() const noexcept;

 private:
  rlimit files_{};
  struct sigaction pipe_signal_ {};
};

/// Sets FAR_TERMINAL where this process has a terminal, for ranks, who have pipes.
void tell_terminal();

/// Starts the processes of a job.
class spawner {
 public:
  /// `signals`: the mask that the processes are to have; `input`: rank 0's, if that is started.
  spawner(const launch_options& options, const shm::region& job, const sigset_t& signals,
          int input);
  ~spawner();
  spawner(const spawner&) = delete;
  spawner& operator=(const spawner&) = delete;

  /// Errors: fabric_error.
  [[nodiscard]] spawned start(int rank);

 private:
  void prepare(int rank) noexcept;
  [[nodiscard]] int inheritable_job() const noexcept;

  const launch_options* options_;
  const shm::region* job_;
  launcher_settings settings_;
  sigset_t signals_;
  pid_t self_;
  int input_;
  int no_input_;
  std::string job_variable_;  // made before the fork, as is all that allocates
  std::vector<char*> arguments_;
};

}  // namespace far::launch
