#pragma once
// The parts of `far bench array`.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/report.hpp"

namespace far::bench {

/// Errors: bad_argument if options were chosen that these benchmarks do not have.
void check_settings(const std::string& name, const settings& chosen);

/// How long to measure. `quick`: only to see that everything works.
struct array_effort {
  bool quick = false;

  /// Jobs that are started one after another, each for a part of the rounds. Where a process has
  /// its memory may change the time of a hit by a factor: words that accesses alternate between may
  /// exclude each other from a core's first cache.
  [[nodiscard]] int jobs() const { return quick ? 1 : 9; }
  [[nodiscard]] effort of_a_job() const {
    return quick ? effort{.rounds = 6, .round_ms = 0.01} : effort{.rounds = 9, .round_ms = 0.5};
  }
  [[nodiscard]] effort of_a_job_with_threads() const {
    return {.rounds = quick ? 6 : 5, .round_ms = quick ? 0.1 : 5, .binds = false};
  }
  [[nodiscard]] int rounds() const { return jobs() * of_a_job().rounds; }
};
/// The rounds of all jobs.
round_times rounds_of_jobs(int jobs, int ranks,
                           const std::function<std::vector<subject>(world&)>& prepare,
                           const effort& how);

/// Elements in memory that all ranks share: nothing is cached.
void add_direct_rows(report& result, const array_effort& how);
/// Hits of the protocol, on one thread and on two.
void add_hit_rows(report& result, const array_effort& how);
/// Misses of the protocol.
void add_miss_rows(report& result, const array_effort& how);

/// A row whose times were measured in the same rounds. An empty `limit`: no baseline. `peers`:
/// subjects that a user could choose instead, by their names in the table.
struct paired_subjects {
  std::string row;
  std::string far;
  std::string limit = {};
  std::optional<double> max_ratio = {};
  std::vector<std::pair<std::string, std::string>> peers = {};
  std::string note = {};
};
row row_of(const paired_subjects& what, const round_times& times);
/// Of loops over pinned chunks, which both beds of measurements have.
std::vector<paired_subjects> pinned_rows();

}  // namespace far::bench
