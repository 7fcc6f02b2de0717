#pragma once
// The simulator: ranks are fibers of the calling thread, in an order that a seed or the clock of a
// simulated machine decides.

#include <memory>

#include "far/fabric/job.hpp"

namespace far::fabric::sim {

/// Runs body on every rank as far::fabric::run_job promises: by the clock of options.profile, or
/// without one in an order that options.seed alone decides.
/// Errors: bad_argument, also under ThreadSanitizer, which cannot follow fibers; deadlock when
/// nobody can go on; else the first failure of a rank.
void run_job(const job_options& options, const rank_body& body);

/// Whether this process is to simulate the job that it is (FAR_SIM_RANKS is set), of how many
/// ranks, and the same for far::fabric::run_all_ranks. Reports what happened where FAR_SIM_REPORT
/// says, for `far sim`.
[[nodiscard]] bool in_job() noexcept;
[[nodiscard]] int ranks_to_hold();
void run_all_ranks(const rank_body& body);

/// The caller as the one rank of that job, which goes on in the caller's own stack.
/// Errors: bad_argument; under AddressSanitizer and ThreadSanitizer, too, which cannot follow.
[[nodiscard]] std::unique_ptr<membership> join_job();

}  // namespace far::fabric::sim
