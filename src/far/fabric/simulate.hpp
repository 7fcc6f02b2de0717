#pragma once
// Starting a program as the ranks of a simulated job: what `far sim` does.

#include <cstdint>
#include <string>
#include <vector>

#include "far/base/language.hpp"

namespace far::fabric {

struct simulate_options {
  std::string program;  ///< a path or a name in PATH
  std::vector<std::string> args;
  int ranks = 1;
  std::string profile;  ///< whose clock; empty: orders are explored
  std::uint64_t seed = 1;
  bool service = false;
  std::uint64_t symmetric_bytes = 0;  ///< 0: the default
  std::uint64_t local_bytes = 0;
  std::string levels = {};  ///< as FAR_LEVELS; empty: the caller's
};

/// How it ended.
struct simulated {
  int status = 0;      ///< of the program's exit, or 128 + the signal that it died from
  std::string report;  ///< one line of JSON, as docs/simulator.md says; empty if it got not so far
};

/// Runs the program, which calls far::run(program), in a process of its own, and waits for it.
/// 126: it cannot be executed; 127: there is no such program.
/// Errors: bad_argument for impossible options or a profile that is not right.
simulated simulate(const simulate_options& options);

/// A machine that there is a profile of.
struct simulated_machine {
  std::string name;
  std::string about;
  std::string text;  ///< the whole profile, as a file
};
[[nodiscard]] std::vector<simulated_machine> simulated_machines();

}  // namespace far::fabric
