// Table 1 and figures 2 to 7 and 9 to 12 of armci-host-assisted on a simulated machine, and whether
// its claims hold there (rows D1 to D10).

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/harness/registry.hpp"
#include "bench/papers/application_figures.hpp"
#include "bench/papers/simulated.hpp"
#include "bench/papers/transfer_claims.hpp"
#include "bench/papers/transfer_figures.hpp"
#include "bench/papers/two_sided.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/profile.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr const char* usual_profile = "ib-2004-ia64";
constexpr const char* machine_of_products = usual_profile;
constexpr const char* machine_of_multigrid = "ib-2004-ia32";

template <class... Figures>
void add_figures(report& result, Figures&... figures) {
  (result.figures.push_back(std::move(figures)), ...);
}

report measure_paper_d(const settings& asked) {
  check_simulated("paper-d", asked, "far bench transfers and section-hosts measure the same");
  const std::string profile = asked.profile.empty() ? usual_profile : asked.profile;
  const fabric::sim::profile machine = fabric::sim::find_profile(profile);
  if (machine.descriptor_segments == 0 || machine.copied_kilobyte == 0) {
    throw bad_argument(
        fmt::format("--profile {}: it lacks the costs of descriptors and copies "
                    "(descriptor_segments, copied_kilobyte)",
                    profile));
  }
  const transfer_places at = transfer_places_of(asked.quick);
  const application_places applications = application_places_of(asked.ranks, asked.quick);
  // Each application on the machine where the paper ran it; both on other machines.
  const bool runs_multigrid = profile != machine_of_products;
  const bool runs_products = profile != machine_of_multigrid;
  transfer_jobs on(profile, transfer_figure_jobs +
                                (runs_multigrid ? multigrid_jobs_of(applications) : 0) +
                                (runs_products ? product_jobs_of(applications) : 0));
  report result;
  result.measured = fmt::format(
      "paper-d: table 1, figures 2 to 7 and {} of \"Host-assisted zero-copy remote memory "
      "access communication\non InfiniBand\" on a simulated {}, between two nodes. Limit: the "
      "paper's time. Message passing: a layer of two-sided\nmessages, eager up to {} bytes, that "
      "makes progress in its calls only. Computes: the target's processor is busy, and\nits "
      "helper takes {} times as long.",
      runs_multigrid && runs_products ? "9 to 12"
      : runs_products                 ? "9, 10, 12"
                                      : "9 to 11",
      profile, two_sided::max_eager_bytes, machine.helper_share);

  transfer_results all = measure_transfer_figures(on, at);
  result.rows = transfer_rows(all, profile);
  result.claims = transfer_claims(all, profile);
  add_figures(result, all.memory, all.puts, all.gets, all.idle, all.busy, all.overlap,
              all.overlap_2d, all.idle_2d, all.busy_2d);
  if (runs_multigrid) {
    multigrid_results found = measure_multigrid(on, applications);
    std::ranges::move(multigrid_claims(found), std::back_inserter(result.claims));
    add_figures(result, found.class_a, found.class_b, found.only_transfers);
  }
  if (runs_products) {
    product_results found = measure_products(on, applications);
    std::ranges::move(product_claims(found), std::back_inserter(result.claims));
    add_figures(result, found.square, found.rectangular);
  }
  return result;
}

const benchmark registered("paper-d",
                           "the figures of armci-host-assisted, simulated, and its claims",
                           measure_paper_d);

}  // namespace
}  // namespace far::bench
