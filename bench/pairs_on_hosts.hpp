#pragma once
// A benchmark that compares subjects with each other in a job of two hosts (harness/two_hosts.hpp).

#include <functional>
#include <string>
#include <vector>

#include "bench/array.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/report.hpp"
#include "far/far.hpp"

namespace far::bench {

struct pairs_on_hosts {
  std::string name;
  std::string measured;  ///< of the report
  int limit_s = 0;       ///< of the run on the hosts
  std::vector<paired_subjects> rows;
  /// Collective, of 2 ranks: measures the subjects that `rows` name.
  std::function<round_times(world&, bool quick)> measure;
};

/// Starts the benchmark again, by name, on two hosts, and returns the rows that it reports; in that
/// job, measures. Where hosts cannot be created there are no rows, and a remark says why.
/// Errors: bad_argument if `chosen` has other options than `quick`, and in a job of other than 2
///   ranks; far::error if the run on the hosts fails.
[[nodiscard]] report measure_on_hosts(const pairs_on_hosts& what, const settings& chosen);

}  // namespace far::bench
