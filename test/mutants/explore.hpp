#pragma once
// Programs that explore runs on the simulator, seed by seed, until one fails. Each program is
// correct; the catalogue lists the bugs that are planted in it, or in the library below it.

#include <functional>

#include "far/world/run.hpp"
#include "far/world/world.hpp"

namespace far::mutants {

/// One of this executable's programs. Define it at namespace scope.
class program {
 public:
  /// `options`: the number of ranks, and other needs of the program. explore sets mode and seed.
  program(const char* name, run_options options, std::function<void(world&)> body);
};

/// Ends the run as failed if `holds` is false.
void check(bool holds, const char* what);

}  // namespace far::mutants
