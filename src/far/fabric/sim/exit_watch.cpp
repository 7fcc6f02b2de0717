#include "far/fabric/sim/exit_watch.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "far/fabric/crash_site.hpp"

namespace far::fabric::sim {
namespace {

bool job_runs = false;

void on_process_exit(int status, void*) {
  if (!job_runs) return;
  const int rank = crash_locator::find(nullptr).rank;
  std::fflush(stdout);
  std::fprintf(stderr, "far: rank %d left the job before its end: it called exit(%d)\n", rank,
               status);
  std::fflush(nullptr);
  _exit(status == 0 ? EXIT_FAILURE : status);
}

}  // namespace

exit_watch::exit_watch() noexcept {
  static const bool registered = on_exit(on_process_exit, nullptr) == 0;
  job_runs = registered;
}

exit_watch::~exit_watch() { job_runs = false; }

}  // namespace far::fabric::sim
