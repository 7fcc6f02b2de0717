#pragma once

#include <memory>

#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim {

/// Makes the caller the one rank of a simulated job. `at_end` hears of the job that went well.
/// Errors: as run_job, and bad_argument under AddressSanitizer.
[[nodiscard]] std::unique_ptr<membership> join_as_fiber(const job_options& options,
                                                        void (*at_end)(simulation&));

}  // namespace far::fabric::sim
