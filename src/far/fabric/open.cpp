// The one place that knows the leaves.

#include <utility>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/uplink.hpp"
#include "far/fabric/sim/explore/search.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/launch.hpp"

namespace far::fabric {

void run_job(const job_options& options, const rank_body& body) {
  base::hold_standard_streams();  // before anything is opened
  base::check_environment();
  switch (options.mode) {
    case job_mode::threads:
      return shm::run_threads(options, body);
    case job_mode::processes:
      return shm::run_processes(options, body);
    case job_mode::ucx:
      return shm::started_by_pmix() ? shm::join_by_pmix(options, body)
                                    : shm::run_processes(options, body);
    case job_mode::fibers:
      return sim::run_job(options, body);
  }
  throw bad_argument("run_job: unknown mode");
}

bool spans_machines() noexcept { return shm::has_uplink(); }

bool in_job() noexcept { return shm::in_job() || sim::in_job() || shm::started_by_pmix(); }

void join_job(const rank_body& body) {
  base::hold_standard_streams();
  base::check_environment();
  if (shm::in_job()) return shm::join_job(body);
  if (sim::in_job()) return sim::join_job(body);
  static bool joined = false;
  if (std::exchange(joined, true)) {
    throw bad_argument("this process has been in its job already: call far::run(program) once");
  }
  job_options options;
  options.ranks = 0;
  shm::join_by_pmix(options, body);
}

bool launcher_reports() noexcept { return shm::launcher_reports(); }

explored explore(const explore_options& options) { return sim::explore(options); }

simulated simulate(const simulate_options& options) { return sim::simulate(options); }

std::vector<simulated_machine> simulated_machines() { return sim::machines(); }

}  // namespace far::fabric
