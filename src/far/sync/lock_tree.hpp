#pragma once
// The tree of queues under topology_lock and rw_lock: one queue for each element of the machine, at
// each level.
//
// A thread holds the lock when it is the head of the job's queue. It first enters the queue of its
// smallest element; the head of that queue enters the queue of the next larger element, and so on,
// with a separate node in each. When the thread unlocks, it passes two things to the next thread in
// the smallest element: the headship there, and the name of the node that is in the queue of the
// element above, with a count of how often that node has been passed on. So the next thread need
// not enter the queue above. When the count reaches max_passes, the thread first releases what it
// holds above, and then tells the next thread to enter there itself.
//
// 1. The head of an element's queue that was given the name of a node may act for that node, which
//    is the head above. No other thread may, not even the node's own thread.
// 2. Only a node's own thread enters with it, and only as the head of the element below. While
//    other threads of the element use the node, it is not idle. If its own thread comes to enter
//    with it, it waits until the node is idle.
//
// Source: RMA-MCS of P. Schmid, M. Besta, T. Hoefler, High-performance distributed RMA locks, 2016,
//   listings 4 and 5, section 3.5. As printed, the releasing thread looks at its own node of the
//   level above, though another thread may have entered there. Here the node's name travels with
//   the lock, as in M. Chabbi, M. Fagan, J. Mellor-Crummey, High performance locks for multi-level
//   NUMA systems, 2015, where each element has one.

#include <cstdint>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/sync/node_names.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A queue of an element, and how often its members pass on among themselves what they hold of the
/// element above (or, at the job's level, the lock) before others get it.
struct lock_queue {
  ptr<std::uint64_t> tail;
  std::uint64_t max_passes = 0;  ///< for elements at most node_names::max_passes
};

/// A thread's place in the queues of its elements, from the whole job to the smallest.
struct lock_place {
  std::vector<lock_queue> queues;
  ptr<queue_node> nodes;  ///< this rank's, one for each queue
  lock_use* use;
};

/// One thread's access to the tree.
class lock_tree {
 public:
  lock_tree(const world& world, const lock_place& place)
      : smallest_(level_at(world, place, place.queues.size() - 1)),
        names_(world.size()),
        use_(place.use) {
    for (std::size_t i = 0; i + 1 < place.queues.size(); ++i) {
      above_.push_back(level_at(world, place, i));
    }
  }

  /// Whether this thread is now the head of all queues, or acts for their heads. `enter(queue)`
  /// returns the value that it was given as the head of that queue, or mcs_queue::nothing.
  /// `begin(queue, given)` is called as the head of the job's queue; it returns whether the thread
  /// has the lock.
  template <class Enter, class Begin>
  [[nodiscard, gnu::always_inline]] bool acquire(Enter enter, Begin begin) {
    const std::uint64_t given = enter(smallest_.queue);
    if (given == mcs_queue::nothing) [[unlikely]]
      return false;
    if (above_.empty()) return begin(smallest_.queue, given);
    use_->given = given;
    return given != not_entered || acquire_above(enter, begin);
  }
  /// Undoes acquire. `end(queue, node)` passes on the job's queue.
  template <class End>
  [[gnu::always_inline]] void release(End end) {
    const ptr<queue_node> own = smallest_.queue.own();
    above_.empty() ? end(smallest_.queue, own)
                   : release(smallest_, above_.end(), own, use_->given, end);
  }
  /// That of the job's level.
  [[nodiscard]] std::uint64_t max_passes() const noexcept {
    return above_.empty() ? smallest_.max_passes : above_.front().max_passes;
  }

 private:
  // The value that the head of an element's queue was given, or found out: either this, if the
  // queue of the element above has not been entered, or the name of the node that is the head
  // there.
  static constexpr std::uint64_t not_entered = mcs_queue::first;

  struct one_level {
    mcs_queue queue;
    std::uint64_t max_passes;
  };
  using level_place = std::vector<one_level>::const_iterator;

  [[nodiscard]] static one_level level_at(const world& world, const lock_place& place,
                                          std::size_t level) {
    const lock_queue& queue = place.queues[level];
    return {{world, queue.tail, place.nodes + static_cast<std::int64_t>(level)}, queue.max_passes};
  }

  // acquire_above and release are not inlined, so that a lock of one level stays small where it is
  // inlined. What they call is inlined into them.

  /// Continues acquire as the head of the smallest element's queue. A thread that gives up at one
  /// level also leaves the queues below. That is a separate function: each register that
  /// acquire_above saves is a store before an exchange.
  template <class Enter, class Begin>
  [[nodiscard, gnu::noinline, gnu::flatten]] bool acquire_above(Enter& enter, Begin& begin) {
    auto level = above_.end();
    for (;;) {
      --level;
      const bool is_job = level == above_.begin();
      const std::uint64_t given = enter(level->queue);
      const bool go_on = given != mcs_queue::nothing && (!is_job || begin(level->queue, given));
      if (!go_on) [[unlikely]] {
        leave_below(level);
        return false;
      }
      if (is_job || given != not_entered) break;
    }
    for (auto next = level; ++next != above_.end(); level = next) {
      next->queue.keep(names_.name(level->queue.own(), 0));
    }
    use_->given = names_.name(level->queue.own(), 0);
    return true;
  }

  [[gnu::noinline, gnu::cold]] void leave_below(level_place level) {
    while (++level != above_.end()) (void)level->queue.pass(level->queue.own(), not_entered);
    (void)smallest_.queue.pass(smallest_.queue.own(), not_entered);
  }

  /// Ends the headship of `head`, a node of any thread of the element, in the queue of `here`.
  /// `given`: the value that `head` was given. `end_above`: one past the level above.
  template <class End>
  [[gnu::noinline, gnu::flatten]] void release(const one_level& here, level_place end_above,
                                               ptr<queue_node> head, std::uint64_t given,
                                               End& end) {
    const ptr<queue_node> above = names_.node(given);
    const std::uint64_t passes = names_.passes(given);
    const std::uint64_t next = passes < here.max_passes ? here.queue.next_after(head) : 0;
    if (next == 0) {
      release_above(end_above - 1, above, end);
      (void)here.queue.pass(head, not_entered);
      return;
    }
    const std::uint64_t value = names_.name(above, passes + 1);
    const bool passed = here.queue.pass_on(head, next, value);
    if (!passed) release_above(end_above - 1, above, end);  // all waiters here have left
  }
  template <class End>
  void release_above(level_place level, ptr<queue_node> head, End& end) {
    level == above_.begin() ? end(level->queue, head)
                            : release(*level, level, head, level->queue.value(head), end);
  }

  one_level smallest_;
  std::vector<one_level> above_;  // from the job on
  node_names names_;
  lock_use* use_;
};

}  // namespace far::sync
