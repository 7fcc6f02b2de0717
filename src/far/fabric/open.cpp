// The one place that knows the leaves.

#include "far/base/error.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/launch.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/sim/explorer_search.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/launch.hpp"

namespace far::fabric {

void run_job(const job_options& options, const rank_body& body) {
  switch (options.mode) {
    case job_mode::threads:
      return shm::run_threads(options, body);
    case job_mode::processes:
      return shm::run_processes(options, body);
    case job_mode::fibers:
      return sim::run_job(options, body);
  }
  throw bad_argument("run_job: unknown mode");
}

bool in_job() noexcept { return shm::in_job() || sim::in_job(); }

void join_job(const rank_body& body) { shm::in_job() ? shm::join_job(body) : sim::join_job(body); }

bool launcher_reports() noexcept { return shm::launcher_reports(); }

int launch(const launch_options& options) { return shm::launch(options); }

explored explore(const explore_options& options) { return sim::explore(options); }

simulated simulate(const simulate_options& options) { return sim::simulate(options); }

std::vector<simulated_machine> simulated_machines() { return sim::machines(); }

}  // namespace far::fabric
