#pragma once
// The request to interrupt this process's waits; far/world/interrupt.hpp says what users see.

#include <atomic>

namespace far::fabric {

/// Wakes the waits that sleep, so that they see the request. Async-signal-safe.
using waker = void (*)() noexcept;

/// What a signal handler shares with the waits. Lock-free, and constant-initialized.
struct interruption {
  std::atomic<bool> requested{false};
  std::atomic<waker> wake{nullptr};  // of the leaf whose waits sleep in the system
};
inline constinit interruption the_interruption;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<waker>::is_always_lock_free);

/// Exists while this process runs ranks of a job. A request from before the first is void.
class interruptible_job {
 public:
  interruptible_job() noexcept {
    if (jobs_.fetch_add(1) == 0) the_interruption.requested.store(false);
  }
  ~interruptible_job() { jobs_.fetch_sub(1); }
  interruptible_job(const interruptible_job&) = delete;
  interruptible_job& operator=(const interruptible_job&) = delete;

 private:
  static inline std::atomic<int> jobs_{0};
};

/// Async-signal-safe.
void interrupt() noexcept;

[[nodiscard]] inline bool is_interrupted() noexcept {
  return the_interruption.requested.load(std::memory_order_seq_cst);  // as in interrupt()
}

/// For a wait that has found is_interrupted(). Throws far::interrupted.
[[noreturn]] void throw_interrupted(int rank);

}  // namespace far::fabric
