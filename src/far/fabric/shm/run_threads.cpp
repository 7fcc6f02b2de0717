#include <exception>
#include <vector>

#include "far/base/error.hpp"
#include "far/base/threads.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/rank_signals.hpp"

namespace far::fabric::shm {

void run_threads(const job_options& options, const rank_body& body) {
  region job = region::create(geometry_of(options));
  const process_ranks known(job, every_rank);
  run_rank_threads(job, body);
}

void run_rank_threads(region& job, const rank_body& body) {
  const int ranks = job.shape().ranks;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  const auto rank_main = [&](int rank) {
    try {
      run_rank(job, rank, body);
    } catch (...) {
      failures[static_cast<std::size_t>(rank)] = std::current_exception();
    }
  };
  if (ranks == 1) {
    rank_main(0);  // on the caller's thread
  } else {
    try {
      const base::thread_group threads(ranks, "the thread of rank", [&rank_main](int rank) {
        const thread_signals signals(rank);
        rank_main(rank);
      });
    } catch (const fabric_error& refusal) {
      mark_failed(job, 0, failure_kind::fabric_error, refusal.what());  // for the launcher
      throw;
    }
  }
  // The exception of the rank that failed first has the cause; the others only report that rank.
  const std::uint32_t first = job.header().failed.load(std::memory_order_acquire);
  if (first != 0 && failures[first - 1]) {
    try {
      std::rethrow_exception(failures[first - 1]);
    } catch (const interrupted&) {
      throw;
    } catch (const rank_failed&) {
      throw_marked(job);  // a handler has failed: the rank's own thread has only been told
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace far::fabric::shm
