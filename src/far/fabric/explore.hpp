#pragma once
// The search of `far sim explore` for an order of steps in which a program fails.

#include <cstdint>
#include <functional>
#include <string>

#include "far/base/language.hpp"
#include "far/fabric/simulate.hpp"

namespace far::fabric {

struct explore_options {
  simulate_options job;           ///< must have no profile; its seed is the first one tried
  std::uint64_t seeds = 1000;     ///< how many to try
  std::string driver = "random";  ///< as FAR_SIM_DRIVER; the exhaustive driver has no seeds
  bool kill = false;        ///< per seed: kill each rank at each of its first calls and some later
  unsigned timeout_s = 60;  ///< a run that takes longer has failed; 0: no limit
  int shrink_runs = 1000;   ///< max
  /// Called before each run with the number of finished seeds and a description of the run.
  std::function<void(std::uint64_t, const std::string&)> progress = {};
};

struct explored {
  bool failed = false;
  std::uint64_t runs = 0;
  std::string told;  ///< the exhaustive driver's report, if nothing failed

  // The failure.
  int status = 0;        ///< exit status, or 128 + the signal
  bool repeats = false;  ///< the same choices failed again; if not, the rest is empty
  std::string setting;   ///< the variables that replay it: "FAR_SIM_RANKS=2 ..."
  std::string errors;    ///< what the program wrote to stderr; if nothing, to stdout
  std::string story;     ///< one line for each choice that differs from the calm one
  std::uint64_t seed = 0;
  std::uint64_t deviations = 0;  ///< choices that differ from the calm ones, after shrinking
  std::uint64_t first_deviations = 0;
  int shrink_runs = 0;
};

/// Runs the program once per seed, each time in its own process, until it fails: by its exit
/// status, a signal or a timeout. A killed rank is no failure; a survivor that ends by anything but
/// rank_failed or out_of_bounds is one. Then shrinks the choices that made the program fail.
/// Errors: bad_argument, also if there is no such program.
explored explore(const explore_options& options);

}  // namespace far::fabric
