// The only file that knows the leaves: dispatches to them.

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/interrupt.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/plain_wake.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/rank_process.hpp"
#include "far/fabric/shm/rank_signals.hpp"
#include "far/fabric/shm/uplink.hpp"
#include "far/fabric/sim/explore/search.hpp"
#include "far/fabric/sim/job.hpp"
#include "far/fabric/sim/launch.hpp"

namespace far::fabric {
namespace {

constexpr const char* static_needs_processes =
    "static data can be shared only where each rank has a process of its own, and not by threads "
    "or "
    "in a simulation: start the ranks as processes (far run, mpirun)";

}  // namespace

void run_job(const job_options& options, const rank_body& body) {
  const interruptible_job interruptible;
  base::hold_standard_streams();  // before anything is opened
  base::check_environment();
  if (options.static_data && (options.mode == job_mode::fibers ||
                              (options.mode == job_mode::threads && options.ranks > 1))) {
    throw bad_argument(static_needs_processes);
  }
  switch (options.mode) {
    case job_mode::threads:
      return shm::run_threads(options, body);
    case job_mode::processes:
      return shm::run_processes(options, body);
    case job_mode::ucx:
      return shm::started_by_pmix() ? run_member(*shm::join_by_pmix(options), body)
                                    : shm::run_processes(options, body);
    case job_mode::fibers:
      return sim::run_job(options, body);
  }
  throw bad_argument("run_job: unknown mode");
}

plain_waker::plain_waker(fabric& own) noexcept : own_(&own) {
  const auto* const here = dynamic_cast<const shm::rank_fabric*>(&own);
  if (here != nullptr) sleepers_ = &here->job().header().plain_sleepers;
}

void plain_waker::wake(int rank) const noexcept {
  const auto& here = static_cast<const shm::rank_fabric&>(*own_);
  if (here.near(rank)) shm::wake_plain(here.job().header(), here.near_block(rank));
}

bool spans_machines() noexcept { return shm::has_uplink(); }

bool in_job() noexcept { return shm::in_job() || sim::in_job() || shm::started_by_pmix(); }

int ranks_to_hold() {
  base::hold_standard_streams();  // before anything is opened
  base::check_environment();
  if (shm::in_job()) return shm::ranks_to_hold();
  return sim::in_job() ? sim::ranks_to_hold() : 0;
}

void run_all_ranks(const rank_body& body) {
  if (shm::in_job()) return shm::run_all_ranks(body);
  shm::report_crashes();
  sim::run_all_ranks(body);
}

std::unique_ptr<membership> join_job(const join_options& options) {
  const int here = ranks_to_hold();
  if (here > 1) {
    throw bad_argument(fmt::format(
        "far::job is one rank, but this process is to hold all {} ranks of its job (far sim, far "
        "run --threads): write the program as a function for far::run(program), or start a process "
        "for each rank (far run, mpirun)",
        here));
  }
  if (shm::in_job()) return shm::join_job(options);
  if (here == 1) {
    if (options.static_data) throw bad_argument(static_needs_processes);
    shm::report_crashes();
    return sim::join_job();
  }
  if (!shm::started_by_pmix()) return shm::join_alone(options);
  job_options any_size;
  any_size.ranks = 0;
  any_size.static_data = options.static_data;
  return shm::join_by_pmix(any_size);
}

void run_member(membership& here, const rank_body& body) {
  try {
    body(here.own());
    here.leave();
  } catch (...) {
    here.fail(std::current_exception());
    throw;
  }
}

bool launcher_reports() noexcept { return shm::launcher_reports(); }

void exit_job(int status) noexcept {
  if (is_fork()) shm::end_process(status);
  if (shm::started_by_pmix()) {
    shm::abort_by_pmix(status);
  } else {
    shm::report_exit(status);
  }
  shm::end_process(status);
}

explored explore(const explore_options& options) { return sim::explore(options); }

simulated simulate(const simulate_options& options) { return sim::simulate(options); }

std::vector<simulated_machine> simulated_machines() { return sim::machines(); }

}  // namespace far::fabric
