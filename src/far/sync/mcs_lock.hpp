#pragma once
// A queue lock for all ranks of a job.

#include <chrono>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/sync/tree_words.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of a lock. Lockable and TimedLockable, so std::unique_lock and
/// std::scoped_lock work on it.
///
/// Completion: what the last holder put before it unlocked, and waited for, is visible to the next.
/// Fairness: first come, first served. A thread that gives up keeps its place if it comes back
///   before its turn.
/// Progress: a waiting thread looks only at a word of its own rank, and sleeps. It needs no
///   progress by others except for the atomics at the home (docs/memory_model.md).
/// Threads: belongs to the thread of its world.
/// Errors: rank_failed where it waits, also when the holder dies. In debug builds bad_argument if a
///   thread locks what it holds, or unlocks what it does not hold.
/// Checked by: mcs_lock_test.excludes_others, mcs_lock_history_test.is_linearizable
class mcs_lock_view {
 public:
  mcs_lock_view(const world& world, const sync::lock_place& place) noexcept
      : world_(world), queue_(world, place.queues.front().tail, place.nodes), use_(place.use) {}

  /// Cost: free A_swap; else a put more, and the wait. A hand-over is an A_cas of the holder.
  void lock() {
    use_->check_enters("mcs_lock", world_.rank());
    (void)queue_.enter(fabric::never);
    use_->holds = true;
  }
  /// Cost: A_cas.
  [[nodiscard]] bool try_lock();
  /// Returns false if the time has passed first.
  /// Checked by: mcs_lock_test.waits_may_end
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(world_, time));
  }
  /// The same, until a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns);
  /// Cost: A_cas.
  void unlock() {
    sync::lock_use::check_leaves("mcs_lock", world_.rank(), use_->holds);
    use_->holds = false;
    sync::release_lock(world_, [this] { (void)queue_.pass(queue_.own(), sync::mcs_queue::first); });
  }

  /// Whether this thread holds the lock.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }

 private:
  world world_;
  sync::mcs_queue queue_;
  sync::lock_use* use_;
};

/// A lock for all ranks, D-MCS: threads queue up, each waits on its own rank's memory, and unlock
/// hands over to the next thread with one atomic operation.
///
///     far::mcs_lock lock(world);
///     {
///       const std::unique_lock guard(lock);
///       ...
///     }
///
/// Used by the rank's own thread; on(world) gives another thread its view.
///
/// The constructor and the destructor are collective. As with other distributed objects, the
/// destructor does not wait for other ranks while an exception is in flight.
///
/// Cost: 40 bytes of each rank's symmetric heap, and 32 of the local heap for each other thread
///   that uses it.
/// Ownership: destroy views before the lock. In debug builds, destroying a lock that this rank
///   holds ends the program.
/// Source: as mcs_queue.hpp.
class mcs_lock : private sync::tree_words, public mcs_lock_view {
 public:
  /// Collective. `home`: the rank that keeps the word that all ranks change; the same on all ranks.
  /// Errors: bad_argument for an invalid home, and if ranks make different objects; out_of_memory;
  ///   rank_failed.
  /// Checked by: mcs_lock_test.refuses_what_cannot_be
  explicit mcs_lock(const world& world, int home = 0);
  ~mcs_lock();
  mcs_lock(const mcs_lock&) = delete;
  mcs_lock& operator=(const mcs_lock&) = delete;

  /// The view of another thread of this rank. A thread unlocks by the view that it locked by.
  [[nodiscard]] mcs_lock_view on(const world& world) { return {world, place(world)}; }
  /// After rank_failed, at its home: whether the guarded data is whole (sync/tree_words.hpp).
  using tree_words::close;

 private:
  world world_;
  collective_scope scope_;
};

}  // namespace far
