#pragma once
// How a job ended: one line for the user, and the launcher's exit status.

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
  std::string line;  ///< empty: nothing is printed
  int status = 0;
};

/// What else affects the verdict of a rank's failure.
struct circumstances {
  std::string who;             ///< the rank, as named to the user
  int forwarded = 0;           ///< the last signal that the user has sent
  bool output_broken = false;  ///< the output is no longer read
};

verdict verdict_of(const shm::job_failure& failure, const circumstances& around);

/// The verdict if output could not be written.
verdict verdict_of_output(const output_sink& sink);
/// Adds to a verdict how many bytes of output were dropped because they were not read in time.
verdict with_lost(verdict end, std::size_t bytes);

/// `ranks`: the number that had not ended in time; 0: only output was still to be written.
verdict verdict_of_time(double seconds, int ranks);
verdict verdict_of_interrupts();

}  // namespace far::launch
