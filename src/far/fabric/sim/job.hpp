#pragma once
// The simulator: ranks are fibers of the calling thread, in an order that a seed decides.

#include "far/fabric/job.hpp"

namespace far::fabric::sim {

/// Runs body on every rank as far::fabric::run_job promises, with options.seed as the only
/// source of chance.
/// Errors: bad_argument, also under ThreadSanitizer, which cannot follow fibers; deadlock when
/// nobody can go on; else the first failure of a rank.
void run_job(const job_options& options, const rank_body& body);

}  // namespace far::fabric::sim
