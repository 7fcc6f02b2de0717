#include "far/world/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"

namespace far {
namespace {

fabric::rank_body rank_body_of(const program& body) {
  return [&body](fabric::fabric& fabric) {
    rank_state state(fabric);
    // Handlers use the state, so they end before it, whatever is thrown.
    struct handlers_end {
      fabric::fabric* fabric;
      ~handlers_end() { fabric->end_handlers(); }
    } const end{&fabric};
    const auto context = fabric.open_context();
    world view(state, *context);
    body(view);
    // Peers may still need this rank's handlers, and those the state: leave together.
    fabric.quiesce(*context);
  };
}

}  // namespace

void run(const program& body) {
  // What a rank could not print is a failure of its job, which is told while there is one.
  const program printing = [&body](world& view) {
    body(view);
    base::flush_standard_output();
  };
  try {
    if (fabric::in_job()) {
      fabric::join_job(rank_body_of(printing));
    } else {
      fabric::run_job({}, rank_body_of(printing));
    }
  } catch (const std::exception& failure) {
    std::fflush(stdout);
    // Under a launcher the ranks' failures are one failure of the job, which it reports once.
    if (!fabric::launcher_reports()) std::fprintf(stderr, "far: %s\n", failure.what());
    std::exit(EXIT_FAILURE);
  }
}

void run(const run_options& options, const program& body) {
  fabric::run_job(options, rank_body_of(body));
}

}  // namespace far
