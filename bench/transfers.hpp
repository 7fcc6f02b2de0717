#pragma once
// The two parts of `far bench transfers`.

#include "bench/harness/registry.hpp"
#include "bench/harness/report.hpp"

namespace far::bench {

/// Between two processes of this machine: contiguous memory, patches and lists, compared with loops
/// by hand and with Global Arrays.
report measure_transfers_here(const settings& chosen);

/// In a job of `far run` or `far sim`: contiguous memory between its first and its last rank.
report measure_transfers_in_job();

}  // namespace far::bench
