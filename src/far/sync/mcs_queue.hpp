#pragma once
// A queue of threads, of any ranks, that wait for one resource. All queue locks are built from it.
//
// One word, the tail, names the last node of the queue. Each thread has a node in its own rank's
// memory, and looks only at this node while it waits. The head of the queue holds the resource
// until it passes it to the next node.
//
//   node         | next                         | status
//   -------------+------------------------------+---------------------------------------------
//   idle         | any                          | idle; the node is in no queue
//   waits        | 0, or the node behind it     | waiting
//   has left     | the same                     | left: its thread has given up, for now
//   is let go    | the same                     | leaving: the head removes it
//   is the head  | the same                     | given, with a value that came with the resource
//
// 1. A thread enters by exchanging its own node into the tail. It gets its predecessor, and makes
//    itself the predecessor's next; or it gets 0, and is the head.
// 2. Only the head passes on, and to one node. So only one node at a time is given.
// 3. A status changes from waiting only by a compare-and-swap: by the head, to given, or by the
//    node's own thread, to left. So a thread that gives up either has left, or has been given the
//    resource.
// 4. A node that has left is still in the queue. Its thread may come back to its place by a
//    compare-and-swap from left to waiting. When the head reaches such a node, it lets it go by a
//    compare-and-swap from left to leaving. The head then passes on to the node's next, or, if
//    there is none, takes the node off the tail. Its last access to the node sets it to idle. Until
//    then the node's thread cannot enter again; it waits for that, at most until its deadline.
// 5. A node is the tail, or some thread got its name from the tail and will become its next. So a
//    thread that fails to take a node off the tail waits for the node's next for a bounded time.
//
// Failure: a thread that waits, in any of these steps, gets rank_failed when a rank dies; it is
//   never given what the dead rank held. The tail and the nodes name all waiting threads.
//
// Source: J. Mellor-Crummey, M. Scott, Algorithms for scalable synchronization on shared-memory
//   multiprocessors, 1991; distributed as D-MCS of P. Schmid, M. Besta, T. Hoefler,
//   High-performance distributed RMA locks, 2016, listings 2 and 3. Two things differ. The listings
//   lack a flush before the exchange of the tail; here a thread's own words are stored, and the
//   exchange releases. And threads may give up.

#include <cstdint>

#include "far/base/function_ref.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/direct.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A thread's place in a queue, in its own rank's memory; initially zero.
struct alignas(32) queue_node {
  std::uint64_t next = 0;  ///< a node, as the bits of its address
  std::uint64_t status = 0;
  std::uint64_t before = 0;  ///< for doubly linked lists
};

namespace node_status {

inline constexpr std::uint64_t idle = 0;
inline constexpr std::uint64_t waiting = 2;
inline constexpr std::uint64_t left = 4;
inline constexpr std::uint64_t leaving = 6;

/// `value`: 63 bits.
[[nodiscard]] constexpr std::uint64_t given(std::uint64_t value) noexcept { return value << 1 | 1; }
[[nodiscard]] constexpr bool is_given(std::uint64_t status) noexcept { return (status & 1) != 0; }
[[nodiscard]] constexpr std::uint64_t value_of(std::uint64_t status) noexcept {
  return status >> 1;
}

}  // namespace node_status

/// A word that one thread uses repeatedly. Its address is looked up once.
class own_word {
 public:
  own_word(const world& world, ptr<std::uint64_t> place) noexcept
      : word_(world, place), here_(fabric::reached(world.atomics(), place.address())) {}

  [[nodiscard]] const atomic_ref<std::uint64_t>& ref() const noexcept { return word_; }
  [[nodiscard]] std::uint64_t load() const {
    if (here_ == nullptr) [[unlikely]]
      return load_remote();
    return rma::load_word<std::uint64_t>(here_);
  }
  void store(std::uint64_t value) const {
    if (here_ == nullptr) [[unlikely]]
      return store_remote(value);
    rma::store_word(here_, value);
  }
  /// Stores 0. A mapped word is stored to only if it is not 0: a store just before an exchange
  /// delays it.
  void clear() const {
    if (here_ == nullptr) [[unlikely]]
      return store_remote(0);
    if (rma::load_word<std::uint64_t>(here_) != 0) rma::store_word(here_, std::uint64_t{0});
  }
  std::uint64_t exchange(std::uint64_t value) const {
    if (here_ == nullptr) [[unlikely]]
      return exchange_remote(value);
    return rma::atomic_word<std::uint64_t>(here_).exchange(value, std::memory_order_acq_rel);
  }
  bool compare_exchange(std::uint64_t expected, std::uint64_t desired) const {
    if (here_ == nullptr) [[unlikely]]
      return compare_exchange_remote(expected, desired);
    return rma::atomic_word<std::uint64_t>(here_).compare_exchange_strong(
        expected, desired, std::memory_order_acq_rel);
  }

 private:
  // By verbs of the fabric. Not inlined, so that callers stay small.
  [[nodiscard]] std::uint64_t load_remote() const;
  void store_remote(std::uint64_t value) const;
  [[nodiscard]] std::uint64_t exchange_remote(std::uint64_t value) const;
  [[nodiscard]] bool compare_exchange_remote(std::uint64_t expected, std::uint64_t desired) const;

  atomic_ref<std::uint64_t> word_;
  std::byte* here_;  // null: not mapped, use the verbs
};

/// One thread's access to a queue, with a node of its own.
class mcs_queue {
 public:
  /// The value that a thread gets if it finds the queue empty.
  static constexpr std::uint64_t first = 0;
  /// Returned if the thread is not the head. (A std::optional would cost more than the rest.)
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  /// `tail`: initially zero. `own`: a node of this rank that no other thread enters with.
  mcs_queue(const world& world, ptr<std::uint64_t> tail, ptr<queue_node> own) noexcept
      : world_(world.borrowed()),
        own_(own),
        tail_(world, tail),
        next_(world, next_word(own)),
        status_(world, status_word(own)) {}

  [[nodiscard]] ptr<queue_node> own() const noexcept { return own_; }

  /// Waits until this thread's node is the head, and returns the value that it was given. If the
  /// deadline passes first, leaves and returns `nothing`.
  /// Cost: alone A_swap; else with a put and the wait.
  [[gnu::always_inline]] std::uint64_t enter(fabric::deadline_ns deadline) const {
    if (status_.load() != node_status::idle) [[unlikely]] {
      if (comes_back()) return await_turn(deadline);
      if (!is_let_go(deadline)) return nothing;
    }
    next_.clear();
    const std::uint64_t before = tail_.exchange(own_.bits());
    if (before != 0) [[unlikely]]
      return follow(before, deadline);
    status_.store(node_status::given(first));
    return first;
  }
  /// The same if the queue is empty; otherwise returns `nothing`. Cost: A_cas.
  std::uint64_t try_enter() const;
  /// Makes the next node the head instead of `head`, a node of any rank, and gives it `value`.
  /// Returns false if no thread waits: then the queue is empty.
  /// Cost: A_cas, on the next node or on the tail.
  [[gnu::always_inline]] bool pass(ptr<queue_node> head, std::uint64_t value) const {
    // Does not call the other overload: what its function captures would be stored before the
    // exchange.
    const std::uint64_t next = next_after(head);
    if (next == 0 && tail_.compare_exchange(head.bits(), 0)) {
      let_go(head);
      return false;
    }
    return pass_on(head, next, value);
  }
  /// The same. Before the queue may become empty, calls `before_end` once; a thread that comes next
  /// is given its result.
  template <class BeforeEnd>
  [[gnu::always_inline]] bool pass(ptr<queue_node> head, std::uint64_t value,
                                   BeforeEnd before_end) const {
    const std::uint64_t next = next_after(head);
    if (next != 0) return pass_on(head, next, value, before_end);
    value = before_end();
    if (!tail_.compare_exchange(head.bits(), 0)) [[unlikely]]
      return pass_on(head, 0, value);
    let_go(head);
    return false;
  }
  /// The same, for a caller that already knows the next node: the first one, or 0.
  bool pass_on(ptr<queue_node> head, std::uint64_t next, std::uint64_t value) const;
  bool pass_on(ptr<queue_node> head, std::uint64_t next, std::uint64_t value,
               base::function_ref<std::uint64_t()> before_end) const;
  /// The node behind `node`, as far as that node knows, or 0.
  [[nodiscard]] std::uint64_t next_after(ptr<queue_node> node) const {
    return node == own_ ? next_.load() : next_of(node).load();
  }

  /// The value that the head was given, or has kept.
  [[nodiscard]] std::uint64_t value(ptr<queue_node> head) const {
    return node_status::value_of(head == own_ ? status_.load() : status_of(head).load());
  }
  /// Replaces the value of this thread's node, the head.
  void keep(std::uint64_t value) const { status_.store(node_status::given(value)); }

 private:
  [[nodiscard]] static ptr<std::uint64_t> next_word(ptr<queue_node> node) noexcept {
    return reinterpret_pointer_cast<std::uint64_t>(node);
  }
  [[nodiscard]] static ptr<std::uint64_t> status_word(ptr<queue_node> node) noexcept {
    return reinterpret_pointer_cast<std::uint64_t>(node) + 1;
  }
  [[nodiscard]] atomic_ref<std::uint64_t> next_of(ptr<queue_node> node) const noexcept {
    return {world_, next_word(node)};
  }
  [[nodiscard]] atomic_ref<std::uint64_t> status_of(ptr<queue_node> node) const noexcept {
    return {world_, status_word(node)};
  }

  /// The node is in no queue now. Its thread, if it is another, may wait for that (lock_tree.hpp).
  void let_go(ptr<queue_node> node) const {
    node == own_ ? status_.store(node_status::idle)
                 : status_of(node).waking().store(node_status::idle);
  }
  [[nodiscard]] std::uint64_t follow(std::uint64_t before, fabric::deadline_ns deadline) const;
  [[nodiscard]] bool comes_back() const;
  [[nodiscard]] bool is_let_go(fabric::deadline_ns deadline) const;
  [[nodiscard]] std::uint64_t await_turn(fabric::deadline_ns deadline) const;
  [[nodiscard]] std::uint64_t remove_or_next(ptr<queue_node> node) const;
  [[nodiscard]] bool give(ptr<queue_node> node, std::uint64_t value) const;

  world world_;
  ptr<queue_node> own_;
  own_word tail_;
  own_word next_;
  own_word status_;
};

}  // namespace far::sync
