#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>

namespace far::fabric::shm {

/// What is known of a crash inside its signal handler.
struct crash {
  int rank = -1;  ///< -1: a thread of no certain rank
  int signal = 0;
  siginfo_t* info = nullptr;
  void* machine = nullptr;          ///< the handler's ucontext_t
  std::uintptr_t shared_begin = 0;  ///< the job's shared memory
  std::size_t shared_bytes = 0;
};

/// Does beforehand what a signal handler must not do.
void prepare_crash_reports() noexcept;

/// Prints rank, signal, address and stack on standard error, and lets the process die from the
/// same signal when the handler returns, with a core where the system allows. If the crash left
/// the heap locked, the names of functions cannot be had: then it dies after a short while with
/// what it has printed.
void report_crash_and_die(const crash& crashed) noexcept;

}  // namespace far::fabric::shm
