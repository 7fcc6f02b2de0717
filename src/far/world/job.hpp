#pragma once
// A job without a function: for programs and libraries whose main is not theirs.

#include <exception>
#include <memory>

#include "far/world/world.hpp"

namespace far {

/// This process as one rank of a job, from the constructor to the destructor:
///
///   far::job job;
///   far::barrier(job.world());
///
/// The job is the one that a launcher started this process for: `far run`, or mpirun, srun or prun
/// by PMIx, in an MPI program too, before MPI_Init or after it. Without a launcher it is a job of
/// one rank. A process is in one job at a time, and may be in several one after the other, all
/// ranks in the same number of them: memory, structures and handlers of one end with it. What makes
/// several ranks of one process (far run --threads, far sim) needs far::run(program), which is a
/// job around a function.
/// One simulated rank (far sim -n 1) can be a job.
///
/// Threads: all members belong to the thread that has made the job; others get world.threads.
/// Checked by: LaunchJob.JoinsWhatALauncherStarted, LaunchJob.SeveralOneAfterTheOther,
/// LaunchJob.IsOneRankAlone, LaunchMpirun.JobsInAnMpiProgram.
class job {
 public:
  /// Collective: joins.
  /// Errors: bad_argument inside a job, and where this process is to hold several ranks;
  /// fabric_error; rank_failed.
  job();
  /// Collective: leaves. Where leaving fails, that is a line on standard error; call leave() to
  /// have it thrown. An exception that goes through here is a failure of the rank, and does not
  /// wait for others: they get rank_failed.
  /// Checked by: LaunchJob.AnExceptionThatLeavesTheScopeEndsTheJob.
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  /// This rank's view of the job. Not after leave() or fail().
  [[nodiscard]] far::world& world() noexcept;

  /// Collective: the end of the job, once all that is under way is done. The process may then go
  /// on, join the next job, or end in any way.
  /// Errors: bad_argument when it has been left; rank_failed.
  void leave();
  /// This rank has failed: the launcher tells what `why` says, and the others get rank_failed.
  /// Checked by: LaunchJob.AFailureSaysWhatWasThrown.
  void fail(const std::exception_ptr& why) noexcept;

 private:
  struct parts;
  std::unique_ptr<parts> in_;
  int exceptions_;  // on their way when it was made
};

/// Ends the whole job, from any rank and any thread: the processes of all ranks end, and so does
/// the launcher, with `status` (0 to 255) and, if that is 0, without a word. This process ends at
/// once: what it has printed is written, destructors and atexit functions do not run. Others end at
/// their next call that waits, and are ended after a second; under mpirun and its like they are
/// ended by that.
/// Checked by: LaunchJob.ExitJobEndsAllRanks, LaunchMpirun.ExitJobEndsAllRanks.
[[noreturn]] void exit_job(int status) noexcept;

}  // namespace far
