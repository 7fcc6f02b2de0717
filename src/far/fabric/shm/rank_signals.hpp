#pragma once
// Signal handlers of a process that runs ranks: SIGQUIT prints what its ranks wait for; a crash
// prints the rank, the signal and the stack, then ends the process as usual.
//
// Signal handlers get no argument of ours, so their job and rank are state of the process.

#include <cstddef>
#include <memory>

#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

inline constexpr int every_rank = -1;

/// While it exists, this process is known to run ranks of a job: signal handlers can name them,
/// far::interrupt wakes them. Belongs to the thread that runs the job. May be nested.
/// A process that one forks has no access to the job (far/fabric/fork.hpp).
class process_ranks {
 public:
  /// `rank`: of the process, or every_rank if its ranks are threads.
  process_ranks(const region& job, int rank) noexcept;
  ~process_ranks();
  process_ranks(const process_ranks&) = delete;
  process_ranks& operator=(const process_ranks&) = delete;

 private:
  const region* job_before_;
  int rank_before_;
};

/// The same, with the handlers of a rank's process. They stay installed afterwards, and still name
/// the rank. It does not replace the program's own handlers, and leaves crashes to sanitizers.
class rank_signals {
 public:
  rank_signals(const region& job, int rank) noexcept;

 private:
  process_ranks known_;
};

/// Crashes are reported from now on, also those before there is a job. Called by the main thread.
void report_crashes() noexcept;

/// For a process that is forked to be a rank of another job.
void forget_forking() noexcept;

/// If this process is in a job, reports to it that this rank ends the job (mark_exit).
void report_exit(int status) noexcept;

/// For a rank that is a thread: a crash report names the rank, and works after a stack overflow.
class thread_signals {
 public:
  explicit thread_signals(int rank);
  ~thread_signals();
  thread_signals(const thread_signals&) = delete;
  thread_signals& operator=(const thread_signals&) = delete;

 private:
  std::unique_ptr<std::byte[]> stack_;
};

}  // namespace far::fabric::shm
