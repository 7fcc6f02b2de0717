#pragma once
// A lock that is handed over to near ranks before far ones.

#include <chrono>
#include <cstdint>
#include <vector>

#include "far/sync/lock_levels.hpp"
#include "far/sync/lock_tree.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/tree_words.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of a topology_lock, as mcs_lock_view. sync/lock_tree.hpp explains how it
/// works.
///
/// Fairness: of n threads in each of E elements, with P = max_passes, at most (n - 1) + n (E - 1)(P
///   + 1) come before a waiting thread; docs/locks.md has the bound for more levels, and what it
///   counts. The bound does not hold for a thread that gives up, but it keeps its place if it comes
///   back before its turn.
/// Checked by: topology_lock_test.excludes_others, topology_lock_history_test.is_linearizable
class topology_lock_view {
 public:
  topology_lock_view(const world& world, const sync::lock_place& place)
      : world_(world), tree_(world, place), use_(place.use) {}

  void lock() {
    (void)enter([](const sync::mcs_queue& queue) { return queue.enter(fabric::never); });
  }
  [[nodiscard]] bool try_lock();
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(world_, time));
  }
  /// Until a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns);
  void unlock() {
    sync::lock_use::check_leaves("topology_lock", world_.rank(), use_->holds);
    use_->holds = false;
    sync::release_lock(world_, [this] {
      tree_.release([](const sync::mcs_queue& queue, ptr<sync::queue_node> head) {
        (void)queue.pass(head, sync::mcs_queue::first);
      });
    });
  }

  /// Whether this thread holds the lock.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }

 private:
  /// The thread that is the head of all queues has the lock.
  template <class Enter>
  [[nodiscard]] bool enter(Enter enter_queue) {
    use_->check_enters("topology_lock", world_.rank());
    use_->holds =
        tree_.acquire(enter_queue, [](const sync::mcs_queue&, std::uint64_t) { return true; });
    return use_->holds;
  }

  world world_;
  sync::lock_tree tree_;
  sync::lock_use* use_;
};

/// A lock for all ranks, RMA-MCS: as mcs_lock, with a queue for each element of the machine at each
/// level. Threads of one element pass it among each other up to `max_passes` times, which is
/// cheaper than passing it to a far rank.
///
/// The constructor and the destructor are collective, as those of mcs_lock.
class topology_lock : private sync::tree_words, public topology_lock_view {
 public:
  static constexpr std::uint64_t usual_passes = 32;

  /// Collective. `max_passes`: T_L,i, by level from the job on; the last value holds for all
  /// further levels, and the first has no effect.
  /// Errors: bad_argument if ranks make different objects; out_of_memory; rank_failed.
  explicit topology_lock(const world& world,
                         const std::vector<std::uint64_t>& max_passes = {usual_passes})
      : topology_lock(world, lock_levels(world), max_passes) {}
  topology_lock(const world& world, const lock_levels& levels,
                const std::vector<std::uint64_t>& max_passes = {usual_passes});
  ~topology_lock();
  topology_lock(const topology_lock&) = delete;
  topology_lock& operator=(const topology_lock&) = delete;

  /// The view of another thread of this rank. A thread unlocks by the view that it locked by.
  [[nodiscard]] topology_lock_view on(const world& world) { return {world, place(world)}; }
  /// After rank_failed, at its home (rank 0): whether the guarded data is whole
  /// (sync/tree_words.hpp).
  using tree_words::close;

 private:
  world world_;
  collective_scope scope_;
};

}  // namespace far
