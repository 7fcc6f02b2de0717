#pragma once
// Starting a program as the ranks of a job, from outside: what `far run` does.

#include <cstdint>
#include <string>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

/// What to start, and how. Zero means: the default, or what FAR_* variables say.
struct launch_options {
  int ranks = 1;                      ///< with hosts 0: as many as they have room for
  bool threads = false;               ///< the ranks are threads of one process
  bool service = false;               ///< start each rank's service thread
  bool tag_output = false;            ///< each line of output begins with "[rank] "
  double timeout_s = 0;               ///< the job is ended after so long; 0: never
  std::uint64_t symmetric_bytes = 0;  ///< capacity of the symmetric segment, per rank
  std::uint64_t local_bytes = 0;      ///< capacity of the local segment, per rank
  std::string levels = {};            ///< for the ranks, as FAR_LEVELS; empty: the caller's
  std::string program;                ///< a path, or a name to look up in PATH
  std::vector<std::string> args;      ///< the program's, its name left out

  // For a job over several machines.
  std::string hosts;  ///< "NAME[:RANKS],..."; empty: the job is of this machine
  std::string
      remote_shell;        ///< what starts a command on a host, as ssh does; empty: FAR_RSH or ssh
  std::string remote_far;  ///< where the `far` command is there; empty: where it is here
};

/// What a launcher's exit status means, apart from that of the rank that failed first (its own
/// status, or 128 + the signal that it died from).
enum launch_status : int {
  launch_failed = 1,       ///< a rank left with status 0 before the job's end
  launch_timed_out = 124,  ///< timeout_s has passed
  launch_no_access = 126,  ///< the program cannot be executed
  launch_not_found = 127,  ///< there is no such program
};

/// Starts the ranks, supervises them until all have ended, and returns the exit status. What
/// goes wrong is told on standard error, in one line that begins with "far run: ".
///
/// Standard input goes to rank 0. The ranks' output comes in whole lines. SIGINT, SIGTERM,
/// SIGHUP, SIGUSR1 and SIGUSR2 are forwarded; SIGQUIT, and the timeout, print what each rank
/// waits for. The ranks die with this process.
///
/// For a program that is a launcher and nothing else: this process's signals and children
/// belong to the call, and it must be single-threaded.
/// Errors: bad_argument for impossible options, fabric_error when ranks cannot be started.
int run(const launch_options& options);

/// The launcher of one of several machines, for the launcher that has been given hosts, whose
/// remote shell has connected it to standard input and output.
int serve();

}  // namespace far::launch
