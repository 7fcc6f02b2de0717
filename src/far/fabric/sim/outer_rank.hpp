#pragma once

#include <memory>

#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {

/// Makes the caller the only rank of a simulated job. Calls `at_end` with the job if it succeeded.
/// Errors: those of run_job, and bad_argument under AddressSanitizer.
[[nodiscard]] std::unique_ptr<membership> join_as_fiber(const job_options& options,
                                                        void (*at_end)(simulation&));

}  // namespace far::fabric::sim
