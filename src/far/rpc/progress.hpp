#pragma once
// Who runs the calls that arrive, and how to wait until all have run.

#include "far/world/world.hpp"

namespace far {

/// Collective. Returns when every rank is here and no message is in flight anywhere: all calls,
/// also one-way ones, have run, and all replies have arrived. A barrier alone does not ensure that.
/// Then throws the exception of the first one-way call that failed on this rank since the last
/// quiesce.
///
/// Progress: made meanwhile.
/// Errors: rank_failed; those of one-way calls.
/// Checked by: progress_test.one_way_calls, progress_test.one_way_failures_reach_quiesce
void quiesce(const world& world);

/// During its lifetime, a thread of this rank sleeps until calls arrive and runs them, so that the
/// program need not make progress. The job's option `service` starts it on all ranks.
///
/// Threads: constructed and destroyed by the thread that runs the rank; one at a time.
/// Checked by: progress_test.service_thread_runs_calls
class service {
 public:
  explicit service(const world& world) : state_(world.state()) { state_->fabric().start_service(); }
  ~service() {
    if (!state_->ended()) state_->fabric().stop_service();
  }
  service(const service&) = delete;
  service& operator=(const service&) = delete;

 private:
  rank_holder state_;
};

}  // namespace far
