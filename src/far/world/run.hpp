#pragma once

#include <functional>

#include "far/fabric/job.hpp"
#include "far/world/world.hpp"

namespace far {

using job_mode = fabric::job_mode;

/// Options for starting ranks; fabric/job.hpp documents each field.
using run_options = fabric::job_options;

/// A rank's program. State of a rank must be inside it, because ranks may share a process.
using program = std::function<void(world&)>;

/// The body of main. Runs the program inside a far::job; if this process is to hold all ranks of
/// its job (far sim, far run --threads), runs the program on each of them. Returns when all ranks
/// have finished, and may be called again. If the program throws, prints what() in one line and
/// exits the process with status 1, or 2 for a far::usage_error. It does the same if the program's
/// standard output cannot be written, and if it is called inside another job.
void run(const program& body);

/// Runs the program on options.ranks ranks, which are threads, fibers of a simulation, or processes
/// forked from this one; to be forked, this process must be single-threaded.
/// Errors: bad_argument for impossible options; rethrows the first failure of a rank.
void run(const run_options& options, const program& body);

}  // namespace far
