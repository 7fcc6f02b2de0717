#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>

namespace far::fabric::shm {

/// What the signal handler knows about a crash.
struct crash {
  bool forked = false;         ///< in a process that the rank has forked
  int rank = -1;               ///< -1: the thread belongs to no particular rank
  std::size_t full_stack = 0;  ///< bytes of a simulated rank's stack that has overflowed, or 0
  int signal = 0;
  siginfo_t* info = nullptr;
  void* machine = nullptr;          ///< the handler's ucontext_t
  std::uintptr_t shared_begin = 0;  ///< the job's shared memory
  std::size_t shared_bytes = 0;
};

/// Does in advance what a signal handler must not do.
void prepare_crash_reports() noexcept;

/// Prints rank, signal, address and stack on standard error. When the handler returns, the process
/// dies from the same signal, with a core dump if the system allows one. If the crash left the heap
/// locked, function names are not available; then the process dies a moment later, after what
/// has been printed.
void report_crash_and_die(const crash& crashed) noexcept;

}  // namespace far::fabric::shm
