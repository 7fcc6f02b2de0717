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
    body(scope.view());
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
  // What a rank could not print is a failure of its job, which is told while there is one.
  const program printing = [&body](world& view) {
    body(view);
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
    // Under a launcher the ranks' failures are one failure of the job, which it reports once.
    if (inside || !fabric::launcher_reports()) std::fprintf(stderr, "far: %s\n", failure.what());
    std::exit(EXIT_FAILURE);
  }
}

void run(const run_options& options, const program& body) {
  fabric::run_job(options, rank_body_of(body));
}

}  // namespace far
