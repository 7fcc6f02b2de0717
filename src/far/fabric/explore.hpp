#pragma once
// Looking for an order of steps in which a program fails: what `far sim explore` does.

#include <cstdint>
#include <functional>
#include <string>

#include "far/base/language.hpp"
#include "far/fabric/simulate.hpp"

namespace far::fabric {

struct explore_options {
  simulate_options job;           ///< without a profile; its seed is the first one
  std::uint64_t seeds = 1000;     ///< how many are tried
  std::string driver = "random";  ///< as FAR_SIM_DRIVER; the exhaustive one has no seeds
  bool kill = false;        ///< per seed: each rank dies at each of its first calls, and some later
  unsigned timeout_s = 60;  ///< of one run, after which it has failed; 0: none
  int shrink_runs = 1000;   ///< at most
  /// Called before each run: how many seeds are done, and what is going on.
  std::function<void(std::uint64_t, const std::string&)> progress = {};
};

struct explored {
  bool failed = false;
  std::uint64_t runs = 0;
  std::string told;  ///< what the exhaustive driver said, where nothing failed

  // Of the failure.
  int status = 0;        ///< of the exit, or 128 + the signal
  bool repeats = false;  ///< the same choices failed again; if not, the rest is empty
  std::string setting;   ///< the variables that replay it: "FAR_SIM_RANKS=2 ..."
  std::string errors;    ///< what the program wrote on standard error, and output if nothing
  std::string story;     ///< a line per choice that was not calm
  std::uint64_t seed = 0;
  std::uint64_t deviations = 0;  ///< choices that were not calm, after shrinking
  std::uint64_t first_deviations = 0;
  int shrink_runs = 0;
};

/// Runs the program once per seed, each in a process of its own, until it fails: by its exit
/// status, by a signal, or by taking too long. A rank that was killed is no failure; a survivor
/// that ends by anything but rank_failed is. Then shrinks what made it fail.
/// Errors: bad_argument; also when there is no such program.
explored explore(const explore_options& options);

}  // namespace far::fabric
