#pragma once
// What locks of all kinds keep for each thread, and check.

#include <chrono>
#include <cstdint>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// One thread's state in a lock. In ordinary memory, since no other thread reads it.
struct alignas(64) lock_use {
  bool holds = false;       ///< exclusively
  bool shares = false;      ///< with other readers
  std::uint64_t given = 0;  ///< the value given to it in its smallest queue (lock_tree.hpp)

  /// Errors: bad_argument, in debug builds, if the thread would wait for itself.
  void check_enters(const char* lock, int rank) const {
    if (base::debug_checks && (holds || shares)) refuse_entry(lock, rank);
  }
  /// Errors: bad_argument, in debug builds, if `has`, one of the members above, is false.
  static void check_leaves(const char* lock, int rank, bool has) {
    if (base::debug_checks && !has) refuse_leave(lock, rank);
  }
  /// Errors: bad_argument, in debug builds, if the thread locked by another view.
  static void check_view(const char* lock, int rank, bool is_same) {
    if (base::debug_checks && !is_same) refuse_view(lock, rank);
  }

 private:
  [[noreturn]] void refuse_entry(const char* lock, int rank) const;
  [[noreturn]] static void refuse_leave(const char* lock, int rank);
  [[noreturn]] static void refuse_view(const char* lock, int rank);
};

/// Calls `perform`, which releases a lock. In a job that has failed it throws nothing, because
/// guards unlock in their destructors. A rank that knows of the failure keeps the lock, because an
/// exception may have interrupted it in the middle of a change to the guarded data.
/// Inlined: the registers that a function saves are stores before an exchange, which waits for
///   them.
template <class Perform>
[[gnu::always_inline]] inline void release_lock(const world& world, Perform perform) {
  if (world.fabric().knows_failure()) [[unlikely]]
    return;
  try {
    perform();
  } catch (const rank_failed&) {
    // The next call reports it.
  } catch (const out_of_bounds&) {
    try {
      world.fabric().check_job();
    } catch (const rank_failed&) {
      return;  // the home has left, and its memory with it
    }
    throw;
  }
}

/// The time of world::now() at which `time` will have passed.
template <class Rep, class Period>
[[nodiscard]] fabric::deadline_ns deadline_in(const world& world,
                                              std::chrono::duration<Rep, Period> time) {
  const auto ns = std::chrono::ceil<std::chrono::nanoseconds>(time).count();
  return world.now() + static_cast<std::uint64_t>(ns < 0 ? 0 : ns);
}

}  // namespace far::sync
