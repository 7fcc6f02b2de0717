#pragma once

#include <functional>

#include "far/fabric/job.hpp"
#include "far/world/world.hpp"

namespace far {

using job_mode = fabric::job_mode;

/// How far::run starts ranks; see fabric/job.hpp for each field.
using run_options = fabric::job_options;

/// A rank's program. Per-rank state lives inside it: ranks may share a process.
using program = std::function<void(world&)>;

/// The body of main: a far::job around the program, or where this process is to hold all ranks of
/// its job (far sim, far run --threads) the program on each of them. Returns when all ranks have
/// finished, and may be called again. If the program throws, prints one line that says what, and
/// exits the process with status 1; so it does if what the program has printed on standard output
/// cannot be written, and inside another job.
void run(const program& body);

/// Runs the program on options.ranks ranks: threads, fibers of a simulation, or processes forked
/// from this one, which must be single-threaded then.
/// Errors: bad_argument for impossible options; re-throws the first failure of a rank.
void run(const run_options& options, const program& body);

}  // namespace far
