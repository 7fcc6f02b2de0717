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

/// While it exists, the handlers know the job. They stay installed afterwards, and still name the
/// rank. It does not replace the program's own handlers, and leaves crashes to sanitizers.
class rank_signals {
 public:
  /// `rank`: of the process, or every_rank if its ranks are threads.
  rank_signals(const region& job, int rank) noexcept;
  ~rank_signals();
  rank_signals(const rank_signals&) = delete;
  rank_signals& operator=(const rank_signals&) = delete;
};

/// Crashes are reported from now on, also those before there is a job. Called by the main thread.
void report_crashes() noexcept;

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
