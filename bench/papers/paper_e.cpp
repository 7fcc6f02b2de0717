// Tables 1 and 2 of oo-dsm-rdma on a simulated cluster, and whether its claims hold there (row
// E10).

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/harness/registry.hpp"
#include "bench/papers/object_claims.hpp"
#include "bench/papers/object_figures.hpp"
#include "bench/papers/simulated.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::bench {
namespace {

constexpr const char* usual_profile = "ib-2006";

report measure_paper_e(const settings& asked) {
  check_simulated("paper-e", asked, "far bench object measures shared objects");
  const std::string profile = asked.profile.empty() ? usual_profile : asked.profile;
  (void)fabric::sim::find_profile(profile);  // says what is wrong with it
  const object_places at = object_places_of(asked.ranks, asked.quick);
  object_jobs on(profile, object_jobs_of(at));
  report result;
  result.measured = fmt::format(
      "paper-e: tables 1 and 2 of \"Evaluation of RDMA opportunities in an object-oriented DSM\" "
      "on "
      "a simulated\n{}, one rank and one thread a machine. Instructions take no time there: loops "
      "and programs compute as long\nas makes one machine as fast as the paper's. Limit: the "
      "paper's time.",
      profile);
  object_results all = measure_object_tables(on, at);
  result.rows = object_rows(all);
  result.claims = object_claims(all);
  result.figures = {std::move(all.locks), std::move(all.barriers), std::move(all.requests),
                    std::move(all.bandwidth)};
  std::ranges::move(all.gaps, std::back_inserter(result.figures));
  result.figures.push_back(std::move(all.water));
  result.figures.push_back(std::move(all.lu));
  return result;
}

const benchmark registered("paper-e", "the tables of oo-dsm-rdma, simulated, and its claims",
                           measure_paper_e);

}  // namespace
}  // namespace far::bench
