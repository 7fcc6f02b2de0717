#pragma once
// Waits under a lock until other ranks have changed something.

#include <chrono>
#include <condition_variable>
#include <cstdint>

#include "far/rma/atomic_ref.hpp"
#include "far/sync/condition_words.hpp"
#include "far/sync/lock_use.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of a condition_variable_any. `Lock` is anything that this thread locks and
/// unlocks: a lock of libfar, or a std::unique_lock or std::shared_lock of one.
///
/// Completion: what was put, and waited for, under the lock before a notification is visible to the
///   next holder of the lock.
/// Fairness: the thread that has waited longest is notified first.
/// Progress: a waiting thread looks only at a word of its own rank, and sleeps.
/// Threads: belongs to the thread of its world.
/// Errors: rank_failed; a wait may have unlocked the lock by then, and does not lock it again.
/// Checked by: condition_variable_test.turns_go_round,
/// condition_variable_test.one_goes_on_at_a_time
class condition_variable_any_view {
 public:
  condition_variable_any_view(const world& world, sync::condition_words& words);

  /// Unlocks, waits until it is notified, and locks again.
  /// Cost: an mcs_lock's lock and unlock with two puts between, and the wait.
  template <class Lock>
  void wait(Lock& lock) {
    (void)wait_until(lock, fabric::never);
  }
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate predicate) {
    while (!predicate()) wait(lock);
  }
  /// The same, but returns when world.now() reaches the deadline.
  template <class Lock>
  std::cv_status wait_until(Lock& lock, std::uint64_t deadline_ns) {
    enter();
    lock.unlock();
    const bool notified = await(deadline_ns);
    lock.lock();
    return notified ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  /// Returns the last result of the predicate.
  template <class Lock, class Predicate>
  bool wait_until(Lock& lock, std::uint64_t deadline_ns, Predicate predicate) {
    while (!predicate()) {
      if (wait_until(lock, deadline_ns) == std::cv_status::timeout) return predicate();
    }
    return true;
  }
  /// Checked by: condition_variable_test.waits_may_end
  template <class Lock, class Rep, class Period>
  std::cv_status wait_for(Lock& lock, std::chrono::duration<Rep, Period> time) {
    return wait_until(lock, sync::deadline_in(world_, time));
  }
  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& lock, std::chrono::duration<Rep, Period> time, Predicate predicate) {
    return wait_until(lock, sync::deadline_in(world_, time), predicate);
  }

  /// Notifies one waiting thread, or all. No effect if no thread waits. The lock may be held or
  /// not.
  /// Cost: an mcs_lock's lock and unlock, between which two gets, a put, and an atomic for each
  ///   thread that is notified.
  void notify_one() { notify(1); }
  void notify_all() { notify(~std::uint64_t{0}); }

 private:
  using word = atomic_ref<std::uint64_t>;

  [[nodiscard]] word first() const noexcept { return {world_, list_}; }
  [[nodiscard]] word last() const noexcept { return {world_, list_ + 1}; }
  [[nodiscard]] word at(std::uint64_t node, int index) const noexcept;
  void enter();
  [[nodiscard]] bool await(std::uint64_t deadline_ns);
  void remove();
  void notify(std::uint64_t max);

  world world_;
  ptr<std::uint64_t> list_;
  std::uint64_t own_;  // this thread's node
  mcs_lock_view lock_;
};

/// A condition variable for all ranks, for any lock: std::condition_variable_any across machines.
///
///     far::mcs_lock lock(world);
///     far::condition_variable_any changed(world);
///     ...
///     std::unique_lock guard(lock);
///     changed.wait(guard, [&] { return far::get(world, place) != 0; });
///
/// Used by the rank's own thread; on(world) gives another thread its view. The constructor and the
/// destructor are collective, as those of mcs_lock. No thread may be waiting when it is destroyed.
class condition_variable_any : private sync::condition_words, public condition_variable_any_view {
 public:
  /// Collective. `home`: the rank that keeps the list of waiters; the same on all ranks.
  /// Errors: as mcs_lock's.
  explicit condition_variable_any(const world& world, int home = 0)
      : condition_words(world, home), condition_variable_any_view(world, words()) {}

  /// The view of another thread of this rank.
  [[nodiscard]] condition_variable_any_view on(const world& world) { return {world, words()}; }

 private:
  [[nodiscard]] sync::condition_words& words() noexcept { return *this; }
};

}  // namespace far
