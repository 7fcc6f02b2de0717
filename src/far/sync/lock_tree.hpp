#pragma once
// The tree of queues under topology_lock and rw_lock: one for each element of the machine, at each
// level.
//
// To hold the lock is to be the head of the queue of the job. A thread enters the queue of its
// smallest element; the head of that enters the queue of the next larger one, and so on, each with
// a node of its own. When it unlocks, it passes to the next in the smallest element not only the
// headship there but the name of the node with which the element above was entered, and how often
// that has been passed on: the next need not enter that queue. After so many times it passes on
// what is above first, and tells the next to enter.
//
// 1. Who is the head of an element's queue, and was given the name of a node, may act for that
//    node, which is the head above. Nobody else may, its own thread included.
// 2. A node is entered with by its own thread only, as the head of the element below. While the
//    node is in use by others of the element it is not idle, and its thread, should it come to
//    enter with it, waits until it is.
//
// Source: RMA-MCS of P. Schmid, M. Besta, T. Hoefler, High-performance distributed RMA locks, 2016,
// listings 4 and 5, section 3.5. As printed, who releases looks at its own node of the level above,
// though another may have entered there; here the node's name goes with the lock, as in M. Chabbi,
// M. Fagan, J. Mellor-Crummey, High performance locks for multi-level NUMA systems, 2015, where
// each element has one.

#include <cstdint>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/lock_use.hpp"
#include "far/sync/mcs_queue.hpp"
#include "far/sync/node_names.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A queue of an element of a machine, and how often its members pass on among themselves what
/// they have of the element above (or, at the whole job, of the lock), before others get it.
struct lock_queue {
  ptr<std::uint64_t> tail;
  std::uint64_t most_passes = 0;  ///< for an element's, node_names::most_passes at most
};

/// A thread's place in the queues of its elements, from the whole job to the smallest.
struct lock_place {
  std::vector<lock_queue> queues;
  ptr<queue_node> nodes;  ///< of this rank, one for each queue
  lock_use* use;
};

/// One thread's way to the tree.
class lock_tree {
 public:
  lock_tree(const world& view, const lock_place& place)
      : smallest_(level_at(view, place, place.queues.size() - 1)),
        names_(view.size()),
        use_(place.use) {
    for (std::size_t i = 0; i + 1 < place.queues.size(); ++i) {
      above_.push_back(level_at(view, place, i));
    }
  }

  /// Whether this thread is the head of all queues, or acts for who is. `enter(queue)`: what it
  /// was given as the head of that queue, or mcs_queue::nothing; `begin(queue, given)`: whether it
  /// has the lock, as the head of the job's queue.
  template <class Enter, class Begin>
  [[nodiscard, gnu::always_inline]] bool acquire(Enter enter, Begin begin) {
    const std::uint64_t given = enter(smallest_.queue);
    if (given == mcs_queue::nothing) [[unlikely]]
      return false;
    if (above_.empty()) return begin(smallest_.queue, given);
    use_->given = given;
    return given != not_entered || acquire_above(enter, begin);
  }
  /// It is not any more. `end(queue, node)` passes on the job's queue.
  template <class End>
  [[gnu::always_inline]] void release(End end) {
    const ptr<queue_node> own = smallest_.queue.own();
    above_.empty() ? end(smallest_.queue, own)
                   : release(smallest_, above_.end(), own, use_->given, end);
  }
  /// At the job's level.
  [[nodiscard]] std::uint64_t most_passes() const noexcept {
    return above_.empty() ? smallest_.most_passes : above_.front().most_passes;
  }

 private:
  // What the head of an element's queue was given, or has found out: how it stands with the queue
  // of the element above. Else it is the name of the node that is the head there.
  static constexpr std::uint64_t not_entered = mcs_queue::first;

  struct one_level {
    mcs_queue queue;
    std::uint64_t most_passes;
  };
  using level_place = std::vector<one_level>::const_iterator;

  [[nodiscard]] static one_level level_at(const world& view, const lock_place& place,
                                          std::size_t level) {
    const lock_queue& queue = place.queues[level];
    return {{view, queue.tail, place.nodes + static_cast<std::int64_t>(level)}, queue.most_passes};
  }

  // The two below are functions of their own, so that a lock of one level stays small where it is
  // inlined; and what they call is inlined in them.

  /// As acquire, as the head of the smallest element's queue. If it gives up above, so it does
  /// below: by a function, too, for each register that this one needs is a store before an
  /// exchange.
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

  /// `head`, of any thread of the element, which was `given` that, is the head of its queue there,
  /// and is not any more. `end_above`: behind the level above.
  template <class End>
  [[gnu::noinline, gnu::flatten]] void release(const one_level& here, level_place end_above,
                                               ptr<queue_node> head, std::uint64_t given,
                                               End& end) {
    const ptr<queue_node> above = names_.node(given);
    const std::uint64_t passes = names_.passes(given);
    const std::uint64_t next = passes < here.most_passes ? here.queue.next_after(head) : 0;
    if (next == 0) {
      release_above(end_above - 1, above, end);
      (void)here.queue.pass(head, not_entered);
      return;
    }
    const std::uint64_t value = names_.name(above, passes + 1);
    const bool passed = here.queue.pass_on(head, next, value);
    if (!passed) release_above(end_above - 1, above, end);  // all who waited here have left
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
