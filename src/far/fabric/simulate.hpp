#pragma once
// Starts a program as the ranks of a simulated job, for `far sim`.

#include <cstdint>
#include <string>
#include <vector>

#include "far/base/language.hpp"

namespace far::fabric {

struct simulate_options {
  std::string program;  ///< a path or a name in PATH
  std::vector<std::string> args;
  int ranks = 1;
  std::string profile;  ///< the machine whose time is simulated; empty: orders are explored
  std::uint64_t seed = 1;
  bool service = false;
  std::uint64_t symmetric_bytes = 0;  ///< 0: the default
  std::uint64_t local_bytes = 0;
  std::string levels = {};  ///< as FAR_LEVELS; empty: the caller's
};

/// The result of a simulated run.
struct simulated {
  int status = 0;      ///< the program's exit status, or 128 + the signal that killed it
  std::string report;  ///< one line of JSON (docs/simulator.md); empty if the run ended before it
};

/// Runs the program, which calls far::run(program), in its own process, and waits for it.
/// Status 126: the program cannot be executed; 127: there is no such program.
/// Errors: bad_argument for impossible options or an invalid profile.
simulated simulate(const simulate_options& options);

/// A machine that libfar has a profile of.
struct simulated_machine {
  std::string name;
  std::string about;
  std::string text;  ///< the whole profile, in the file format
};
[[nodiscard]] std::vector<simulated_machine> simulated_machines();

}  // namespace far::fabric
