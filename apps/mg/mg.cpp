#include "apps/mg/mg.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "apps/common/median.hpp"
#include "apps/common/mpi_session.hpp"
#include "apps/common/progress.hpp"
#include "apps/mg/one_sided_links.hpp"
#include "apps/mg/solver.hpp"
#ifdef FAR_APPS_WITH_MPI
#include "apps/mg/mpi_links.hpp"
#endif

namespace far::apps::mg {
namespace {

std::unique_ptr<links> links_of(variant how, const world& world, const landing_places& places) {
#ifdef FAR_APPS_WITH_MPI
  if (how == variant::mpi) return std::make_unique<mpi_links>(places);
#endif
  (void)how;
  return std::make_unique<one_sided_links>(world, places);
}

/// One solver, and the times of its rounds.
struct contender {
  contender(variant v, const problem& what, const block_grid& grid, const world& world)
      : how(v),
        places(grid, what.n(), cut_levels(grid, what.n())),
        ends(links_of(v, world, places)),
        solving(what, grid, world.rank(), places, *ends) {}

  variant how;
  landing_places places;
  std::unique_ptr<links> ends;
  solver solving;
  std::vector<double> seconds = {};
  double norm = 0;
};

/// One bar for all rounds of all variants.
class iteration_progress {
 public:
  iteration_progress(const world& world, std::uint64_t total)
      : shown_(world.rank() == 0 && bar_.visible()), total_(total) {}
  void step(variant how) {
    ++done_;
    if (shown_) bar_.update(done_, total_, name_of(how));
  }

 private:
  progress_bar bar_{"solving"};
  bool shown_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
};

/// A round: one iteration to touch all memory, then all of them from the start, timed.
void run_round(const world& world, const problem& what, contender& c,
               iteration_progress& progress) {
  c.solving.reset();
  c.solving.iterate();
  c.solving.reset();
  (void)c.solving.norm();
  c.ends->barrier();
  const std::uint64_t start_ns = world.now();
  for (int i = 0; i < what.iterations; ++i) {
    c.solving.iterate();
    progress.step(c.how);
  }
  c.norm = c.solving.norm();
  c.ends->barrier();
  c.seconds.push_back(static_cast<double>(world.now() - start_ns) * 1e-9);
}

std::string verify(const problem& what, const std::vector<variant_result>& variants) {
  for (const variant_result& v : variants) {
    const double distance = std::abs(v.norm - what.published_norm) / what.published_norm;
    if (distance <= norm_tolerance) continue;
    throw error(fmt::format(
        "far-mg: the norm of class {} by the variant {} is {:.13e}; the published one is {:.13e}",
        what.name, name_of(v.how), v.norm, what.published_norm));
  }
  return fmt::format("the norm is the published one within {:.0e}", norm_tolerance);
}

}  // namespace

result solve(world& world, const command& asked) {
  const problem& what = problem_of_class(asked.problem_class);
  const block_grid grid(what.n(), world.size());
  check_variant(world, "far-mg", asked.how);
#ifdef FAR_APPS_WITH_MPI
  std::optional<mpi_session> mpi;
  if (asked.how != variant::one_sided) mpi.emplace(world, "far-mg");
#endif

  std::vector<std::unique_ptr<contender>> contenders;
  for (const variant how : variants_of(asked.how)) {
    contenders.push_back(std::make_unique<contender>(how, what, grid, world));
  }
  {
    iteration_progress progress(world, static_cast<std::uint64_t>(asked.rounds) *
                                           static_cast<std::uint64_t>(what.iterations) *
                                           contenders.size());
    for (int round = 0; round < asked.rounds; ++round) {
      for (const auto& c : contenders) run_round(world, what, *c, progress);
    }
  }
  result found{what, world.size(), grid.blocks_z(), grid.blocks_y(), {}, {}};
  for (const auto& c : contenders) {
    found.variants.push_back({c->how, median_of(c->seconds), c->norm});
  }
  if (asked.verify) found.verdict = verify(what, found.variants);
  return found;
}

double operations_per_second(const problem& p, double seconds) {
  return 58.0 * p.iterations * std::pow(p.n(), 3) / seconds;
}

}  // namespace far::apps::mg
