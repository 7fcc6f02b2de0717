#pragma once
// How a job ended, in one line for the user and as the launcher's exit status.

#include <cstddef>
#include <string>

#include "far/fabric/shm/supervisor.hpp"
#include "far/launch/output.hpp"

namespace far::launch {

namespace shm = fabric::shm;

/// "signal 15 (Terminated)".
std::string name_of(int signal);
/// "1 rank", "3 ranks".
std::string count_of(int ranks);

struct verdict {
  std::string line;  ///< empty: there is nothing to tell
  int status = 0;
};

/// What else counts where a rank has failed.
struct circumstances {
  std::string who;             ///< the rank, as the user is to know it
  int forwarded = 0;           ///< the signal that the user has sent last
  bool output_broken = false;  ///< nobody reads the output any more
};

verdict verdict_of(const shm::job_failure& failure, const circumstances& around);

/// The same for output that could not be written.
verdict verdict_of_output(const output_sink& sink);
/// Adds to a verdict how much of the output nobody has read in time.
verdict with_lost(verdict end, std::size_t bytes);

/// `ranks`: those that had not ended by then; 0: only their output was still to be read.
verdict verdict_of_time(double seconds, int ranks);
verdict verdict_of_interrupts();

}  // namespace far::launch
