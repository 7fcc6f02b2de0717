#pragma once
// What a process that holds ranks does on signals: SIGQUIT prints what its ranks wait for; a
// crash prints the rank, the signal and the stack, and then takes its course.
//
// Signal handlers have no argument but the signal, so the process remembers here whose rank it
// is: the one piece of state of this fabric that belongs to the process.

#include <cstddef>
#include <memory>

#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

inline constexpr int every_rank = -1;

/// While it lives, the handlers know the job. They stay installed afterwards, and name the rank
/// still. Signals for which the program has handlers of its own are left to it; under sanitizers
/// crashes are left to them.
class rank_signals {
 public:
  /// `rank`: the process's, or every_rank if its ranks are threads.
  rank_signals(const region& job, int rank) noexcept;
  ~rank_signals();
  rank_signals(const rank_signals&) = delete;
  rank_signals& operator=(const rank_signals&) = delete;
};

/// Tells the job of this process, if it is in one, that this rank ends it (mark_exit).
void tell_exit(int status) noexcept;

/// For a rank that is a thread: its crash report names it, and works after a stack overflow.
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
