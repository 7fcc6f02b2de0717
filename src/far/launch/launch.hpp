#pragma once
// Starts a program as the ranks of a job: the implementation of `far run`.

#include <cstdint>
#include <string>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

/// What to start, and how. Zero means: the default, or what FAR_* variables say.
struct launch_options {
  int ranks = 1;                      ///< with hosts, 0: one for each of their slots
  bool threads = false;               ///< the ranks are threads of one process
  bool service = false;               ///< start a service thread of each rank
  bool tag_output = false;            ///< each line of output begins with "[rank] "
  double timeout_s = 0;               ///< the job is ended after so many seconds; 0: never
  std::uint64_t symmetric_bytes = 0;  ///< capacity of the symmetric segment, per rank
  std::uint64_t local_bytes = 0;      ///< capacity of the local segment, per rank
  std::string levels = {};            ///< FAR_LEVELS of the ranks; empty: the caller's
  std::string program;                ///< a path, or a name to look up in PATH
  std::vector<std::string> args;      ///< the program's arguments, without its name

  // For a job over several machines.
  std::string hosts;         ///< "NAME[:RANKS],..."; empty: the job runs on this machine
  std::string remote_shell;  ///< runs a command on a host, like ssh; empty: FAR_RSH or ssh
  std::string remote_far;    ///< path of the `far` command there; empty: the path here
};

/// Exit statuses of a launcher. If a rank failed first, the status is that of the rank, or 128 +
/// the signal that killed it.
enum launch_status : int {
  launch_failed = 1,       ///< other failures, such as a rank that left early with status 0
  launch_timed_out = 124,  ///< timeout_s has passed
  launch_no_access = 126,  ///< the program cannot be executed
  launch_not_found = 127,  ///< there is no such program
};

/// Starts the ranks, supervises them until all have ended, and returns the exit status. Failures
/// are reported on standard error, in one line that begins with "far run: ".
///
/// Standard input goes to rank 0. The ranks' output is passed on in whole lines. SIGINT, SIGTERM,
/// SIGHUP, SIGUSR1 and SIGUSR2 are forwarded; SIGQUIT, and the timeout, print what each rank
/// waits for. The ranks are killed when this process ends.
///
/// The calling program must be nothing but a launcher: the call uses all signals and children of
/// this process, which must be single-threaded.
/// Errors: bad_argument for impossible options, fabric_error if ranks cannot be started.
int run(const launch_options& options);

/// Runs the launcher of one machine of several. The head has started it by the remote shell, and
/// talks to it through standard input and output. Returns the exit status.
int serve();

}  // namespace far::launch
