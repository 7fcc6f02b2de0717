#pragma once
// A job as an object, for programs and libraries that cannot wrap main in far::run.

#include <exception>
#include <memory>

#include "far/fabric/job.hpp"
#include "far/world/world.hpp"

namespace far {

/// Makes this process one rank of a job, from the constructor to the destructor:
///
///   far::job job;
///   far::barrier(job.world());
///
/// The job is the one that a launcher started this process for: `far run`, or mpirun, srun or prun
/// by PMIx. That also works in an MPI program, before or after MPI_Init. Without a launcher it is a
/// job of one rank. A process is in one job at a time. It may be in several jobs one after the
/// other, but then all ranks must be in the same number of them. The memory, structures and
/// handlers of a job end with it. Where one process holds several ranks (far run --threads, far
/// sim), use far::run(program) instead, which is a job around a function. One simulated rank (far
/// sim -n 1) can be a job.
///
/// Threads: call all members on the thread that made the job; world.threads starts others.
/// Checked by: LaunchJob.JoinsWhatALauncherStarted, LaunchJob.SeveralOneAfterTheOther,
/// LaunchJob.IsOneRankAlone, LaunchMpirun.JobsInAnMpiProgram.
class job {
 public:
  /// Collective: joins the job. With options.static_data, the executable's static variables become
  /// memory of the job, until the job ends; no other thread may change them during this call.
  /// Errors: bad_argument inside a job, if this process is to hold several ranks, and for static
  /// data in a simulation; fabric_error; rank_failed.
  /// Checked by: LaunchJob.SharesStaticData
  explicit job(const fabric::join_options& options = {});
  /// Collective: leaves the job. If leaving fails, prints a line on standard error; leave() throws
  /// instead. If an exception destroys the object, the rank has failed: it does not wait for the
  /// others, which get rank_failed.
  /// Checked by: LaunchJob.AnExceptionThatLeavesTheScopeEndsTheJob.
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  /// This rank's view of the job. After leave() or fail(), whatever it is used for throws
  /// far::error, except for rank(), size() and thread().
  /// Checked by: outliving.a_left_job_has_a_view_that_throws
  [[nodiscard]] far::world& world() noexcept;

  /// Collective: ends the job, after everything in flight has completed. Then the process may
  /// continue, join the next job, or end in any way.
  /// Errors: bad_argument if the job has already been left; rank_failed.
  void leave();
  /// Marks this rank as failed: the launcher reports what `why` says, and the others get
  /// rank_failed.
  /// Checked by: LaunchJob.AFailureSaysWhatWasThrown.
  void fail(const std::exception_ptr& why) noexcept;

 private:
  struct parts;
  void abandon() noexcept;
  [[nodiscard]] bool has_ended() const noexcept;
  std::unique_ptr<parts> in_;
  int exceptions_;  // uncaught when it was made
};

/// Ends the whole job, from any rank and any thread: the processes of all ranks end, and the
/// launcher exits with `status` (0 to 255), silently if that is 0. This process ends at once:
/// buffered output is written, but destructors and atexit functions do not run. The other processes
/// end at their next call that waits, or are killed after a second. Under mpirun and similar
/// launchers, the launcher ends them.
/// Checked by: LaunchJob.ExitJobEndsAllRanks, LaunchMpirun.ExitJobEndsAllRanks.
[[noreturn]] void exit_job(int status) noexcept;

}  // namespace far
