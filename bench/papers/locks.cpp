// Figures 3 to 6 of rma-locks on a simulated machine, and whether its claims hold there (rows B7
// and B8).

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "bench/papers/lock_claims.hpp"
#include "bench/papers/lock_figures.hpp"
#include "bench/papers/simulated.hpp"
#include "far/fabric/sim/profile.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

const std::vector<int> usual_ranks{16, 32, 64, 128, 256, 512, 1024};
constexpr const char* usual_profile = "piz-daint";

report measure_locks(const settings& asked) {
  check_simulated("locks", asked, "far bench locks-shm measures locks");
  lock_places at;
  at.ranks = asked.ranks.empty() ? usual_ranks : ascending(asked.ranks);
  lock_jobs on(asked.profile.empty() ? usual_profile : asked.profile);

  const fabric::sim::profile machine = fabric::sim::find_profile(on.profile());
  report result;
  result.measured = fmt::format(
      "locks: figures 3 to 6 of \"High-performance distributed RMA locks\" on a simulated\n{}. "
      "Every "
      "rank does equally many operations, random ones of which are writes; the first tenth\ndoes "
      "not count. "
      "Means of {} runs where goals are judged, of one elsewhere and beyond {} ranks.\nPublished: "
      "without waits between tries; back-off: with random waits that grow.\n",
      on.profile(), at.claimed_seeds, lock_places::many);
  lock_results all{.exclusive = exclusive_figures(on, at),
                   .thresholds = threshold_figures(on, at),
                   .shared = shared_figures(on, at),
                   .tables = table_figures(on, at),
                   .gapless = {}};
  if (machine.same_word_gap > 0) {
    fabric::sim::profile gapless = machine;
    gapless.same_word_gap = 0;
    temporary_file file;
    file.write(fabric::sim::text_of(gapless));
    lock_jobs there(file.path());
    all.gapless = gapless_figures(there, at);
  }
  result.claims = lock_claims(all, machine);
  for (auto* const part :
       {&all.exclusive, &all.thresholds, &all.shared, &all.tables, &all.gapless}) {
    std::ranges::move(*part, std::back_inserter(result.figures));
  }
  return result;
}

const benchmark registered("locks", "the figures of rma-locks, simulated, and its claims",
                           measure_locks);

}  // namespace
}  // namespace far::bench
