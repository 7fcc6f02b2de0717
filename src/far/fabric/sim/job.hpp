#pragma once
// The simulator: ranks are fibers of the calling thread. A seed, or the clock of a simulated
// machine, decides their order.

#include <memory>

#include "far/fabric/job.hpp"

namespace far::fabric::sim {

/// Runs body on every rank, with the guarantees of far::fabric::run_job. The order follows the
/// clock of options.profile; without a profile, it depends on options.seed alone.
/// Errors: bad_argument, also under ThreadSanitizer, which cannot follow fibers; deadlock when no
/// rank can continue; else the first failure of a rank.
void run_job(const job_options& options, const rank_body& body);

/// in_job: whether this process simulates a whole job (FAR_SIM_RANKS is set). ranks_to_hold: the
/// number of ranks of that job. run_all_ranks: the same as far::fabric::run_all_ranks; writes a
/// report for `far sim` to the file that FAR_SIM_REPORT names.
[[nodiscard]] bool in_job() noexcept;
[[nodiscard]] int ranks_to_hold();
void run_all_ranks(const rank_body& body);

/// Makes the caller the only rank of that job; it continues on its own stack.
/// Errors: bad_argument, also under AddressSanitizer and ThreadSanitizer, which cannot follow.
[[nodiscard]] std::unique_ptr<membership> join_job();

}  // namespace far::fabric::sim
