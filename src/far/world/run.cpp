#include "far/world/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "far/base/error.hpp"

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
  try {
    if (fabric::in_job()) {
      fabric::join_job(rank_body_of(body));
    } else {
      fabric::run_job({}, rank_body_of(body));
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
