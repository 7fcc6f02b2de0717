#pragma once
// Programs that explore runs on the simulator, seed by seed, until one fails. Each program is
// right; the catalogue says what is made wrong in it, or in the library below it.

#include <functional>

#include "far/world/run.hpp"
#include "far/world/world.hpp"

namespace far::mutants {

/// One of this executable's programs; made at namespace scope.
class program {
 public:
  /// `options`: ranks, and what else the program wants; mode and seed are explore's.
  program(const char* name, run_options options, std::function<void(world&)> body);
};

/// Ends the run as failed unless it holds.
void check(bool holds, const char* what);

}  // namespace far::mutants
