#pragma once
// A lock that is handed over near by before it is handed over far away.

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

/// One thread's view of a topology_lock, as mcs_lock_view; how it works: sync/lock_tree.hpp.
///
/// Fairness: of n threads in each of E elements, with P = most_passes, at most
///   (n - 1) + n (E - 1)(P + 1) come before one that waits; docs/locks.md has the bound for more
///   levels, and what it counts. None for who gives up, but it goes on at its old place when it
///   comes back before its turn.
/// Checked by: topology_lock_test.excludes_others, topology_lock_history_test.is_linearizable
class topology_lock_view {
 public:
  topology_lock_view(const world& view, const sync::lock_place& place)
      : view_(view), tree_(view, place), use_(place.use) {}

  void lock() {
    (void)enter([](const sync::mcs_queue& queue) { return queue.enter(fabric::never); });
  }
  [[nodiscard]] bool try_lock();
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(sync::deadline_in(view_, time));
  }
  /// At a time of world::now().
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns);
  void unlock() {
    sync::lock_use::check_leaves("topology_lock", view_.rank(), use_->holds);
    use_->holds = false;
    sync::give_back(view_, [this] {
      tree_.release([](const sync::mcs_queue& queue, ptr<sync::queue_node> head) {
        (void)queue.pass(head, sync::mcs_queue::first);
      });
    });
  }

  /// Whether this thread holds it.
  [[nodiscard]] bool is_held() const noexcept { return use_->holds; }

 private:
  /// The head of all queues has the lock.
  template <class Enter>
  [[nodiscard]] bool enter(Enter enter_queue) {
    use_->check_enters("topology_lock", view_.rank());
    use_->holds =
        tree_.acquire(enter_queue, [](const sync::mcs_queue&, std::uint64_t) { return true; });
    return use_->holds;
  }

  world view_;
  sync::lock_tree tree_;
  sync::lock_use* use_;
};

/// A lock for all ranks, RMA-MCS: as mcs_lock, with a queue for each element of the machine at each
/// level. Threads of one element pass it among each other up to `most_passes` times, which is
/// cheaper than to pass it far away.
///
/// The constructor and the destructor are collective, as those of mcs_lock.
class topology_lock : private sync::tree_words, public topology_lock_view {
 public:
  static constexpr std::uint64_t usual_passes = 32;

  /// Collective. `most_passes`: T_L,i, by level from the job on, the last for all further ones; the
  /// first has no meaning.
  /// Errors: bad_argument where ranks make different objects; out_of_memory; rank_failed.
  explicit topology_lock(const world& view,
                         const std::vector<std::uint64_t>& most_passes = {usual_passes})
      : topology_lock(view, lock_levels(view), most_passes) {}
  topology_lock(const world& view, const lock_levels& levels,
                const std::vector<std::uint64_t>& most_passes = {usual_passes});
  ~topology_lock();
  topology_lock(const topology_lock&) = delete;
  topology_lock& operator=(const topology_lock&) = delete;

  /// The view of another thread of this rank. Who locks by a view unlocks by the same.
  [[nodiscard]] topology_lock_view on(const world& view) { return {view, place(view)}; }
  /// After rank_failed, at its home (rank 0): whether what it guards is whole
  /// (sync/tree_words.hpp).
  using tree_words::close;

 private:
  world view_;
  collective_scope scope_;
};

}  // namespace far
