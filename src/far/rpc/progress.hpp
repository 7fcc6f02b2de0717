#pragma once
// Who runs the calls that arrive, and when all of them have run.

#include "far/world/world.hpp"

namespace far {

/// Collective. Returns when every rank is here and no message is under way anywhere: all calls,
/// one-way ones too, have run, and all replies have arrived. A barrier alone does not see to that.
/// Then throws what the first one-way call to fail on this rank since the last quiesce threw.
///
/// Progress: made meanwhile.
/// Errors: rank_failed; those of one-way calls.
/// Checked by: progress_test.one_way_calls, progress_test.one_way_failures_reach_quiesce
void quiesce(const world& view);

/// While it lives, a thread of this rank sleeps until calls arrive and runs them, so that the
/// program need not make progress. The job's option `service` starts it on all ranks.
///
/// Threads: made and destroyed by the thread that runs the rank; one at a time.
/// Checked by: progress_test.service_thread_runs_calls
class service {
 public:
  explicit service(const world& view) : fabric_(&view.fabric()) { fabric_->start_service(); }
  ~service() { fabric_->stop_service(); }
  service(const service&) = delete;
  service& operator=(const service&) = delete;

 private:
  fabric::fabric* fabric_;
};

}  // namespace far
