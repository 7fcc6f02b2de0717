#include "far/world/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/world/job.hpp"
#include "far/world/only_job.hpp"
#include "far/world/rank_scope.hpp"

namespace far {
namespace {

fabric::rank_body rank_body_of(const program& body) {
  return [&body](fabric::fabric& fabric) {
    rank_scope scope(fabric);
    body(scope.world());
    scope.quiesce();
  };
}

void run_as_one_rank(const program& body) {
  job here;
  try {
    body(here.world());
    here.leave();
  } catch (...) {
    here.fail(std::current_exception());
    throw;
  }
}

}  // namespace

void run(const program& body) {
  // A failure to write output is a failure of the rank, so it must be detected inside the job.
  const program printing = [&body](world& world) {
    body(world);
    base::flush_standard_output();
  };
  const bool inside = only_job::exists();
  try {
    if (!inside && fabric::ranks_to_hold() > 0) {
      const only_job all;
      fabric::run_all_ranks(rank_body_of(printing));
    } else {
      run_as_one_rank(printing);
    }
  } catch (const std::exception& failure) {
    std::fflush(stdout);
    // A launcher reports the failure of the job itself, once for all ranks.
    if (inside || !fabric::launcher_reports()) std::fprintf(stderr, "far: %s\n", failure.what());
    constexpr int usage_status = 2;
    const bool usage = dynamic_cast<const usage_error*>(&failure) != nullptr;
    std::exit(usage ? usage_status : EXIT_FAILURE);
  }
}

void run(const run_options& options, const program& body) {
  fabric::run_job(options, rank_body_of(body));
}

}  // namespace far
