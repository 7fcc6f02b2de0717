#pragma once
// What the benchmarks of papers have in common: they start jobs on a simulated machine, of several
// numbers of ranks.

#include <string_view>
#include <vector>

#include "bench/harness/registry.hpp"

namespace far::bench {

/// Errors: bad_argument if another fabric was asked for, with what to do `instead`; and in a job.
void check_simulated(std::string_view name, const settings& asked, std::string_view instead);

/// Ascending, each number once.
[[nodiscard]] std::vector<int> ascending(std::vector<int> numbers);

}  // namespace far::bench
