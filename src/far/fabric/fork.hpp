#pragma once
// A process that a rank has forked is no rank: it shares the rank's memory of the job, but none of
// its threads, and the job does not expect it.

#include <atomic>

namespace far::fabric {

inline constinit std::atomic<bool> forked_from_rank{false};

/// Whether this process was forked by a rank, in the middle of a job.
[[nodiscard]] inline bool is_fork() noexcept {
  return forked_from_rank.load(std::memory_order_relaxed);
}

inline constexpr const char* fork_is_no_rank =
    "libfar was used in a process that a rank has forked, which is no rank: execute another "
    "program "
    "there (exec, posix_spawn), or end it by _exit() without using libfar";

[[noreturn]] void refuse_fork();

/// For verbs that act outside of this process. Errors: bad_argument in a fork.
inline void check_no_fork() {
  if (is_fork()) [[unlikely]]
    refuse_fork();
}

}  // namespace far::fabric
