#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "far/base/child_signal.hpp"
#include "far/base/function_ref.hpp"
#include "far/fabric/shm/region.hpp"
#include "far/launch/launch.hpp"

namespace far::launch {

namespace shm = fabric::shm;

/// A process that runs a program, and the read ends of its output.
struct spawned {
  pid_t pid = 0;
  int output = -1;
  int errors = -1;
  int exec_error = 0;  ///< errno if the program could not be run (the process has ended), else 0
};

struct pipe_ends {
  int reads = -1;
  int writes = -1;
};

/// Opens a pipe that started processes do not inherit. Errors: fabric_error naming `who`.
pipe_ends make_pipe(const std::string& who);

/// Starts a process. `prepare` runs in it after the fork: it sets up everything but the output, and
/// must not allocate. The read ends of the output are non-blocking.
/// Errors: fabric_error naming `who`.
[[nodiscard]] spawned spawn(const std::string& who, const std::vector<char*>& arguments,
                            base::function_ref<void()> prepare);

/// Why a program cannot be run, for the user, and the launcher's exit status for that.
std::string describe_exec_error(const std::string& program, int why);
int status_of_exec_error(int why) noexcept;

/// While it exists, this process may open many files, ignores SIGPIPE, and learns how its children
/// end.
class launcher_settings {
 public:
  launcher_settings() noexcept;
  ~launcher_settings();
  launcher_settings(const launcher_settings&) = delete;
  launcher_settings& operator=(const launcher_settings&) = delete;

  /// Restores the earlier settings, in a started process.
  void restore() const noexcept;

 private:
  rlimit files_{};
  struct sigaction pipe_signal_ {};
  base::child_signal child_signal_;
};

/// Sets FAR_TERMINAL if standard error is a terminal, for the ranks, whose output is a pipe.
void notify_terminal();

/// Starts the processes of a job.
class spawner {
 public:
  /// `signals`: the signal mask of the processes; `input`: standard input of rank 0, if it is
  /// started here.
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
  std::string job_variable_;  // made before the fork, because prepare must not allocate
  std::vector<char*> arguments_;
};

}  // namespace far::launch
