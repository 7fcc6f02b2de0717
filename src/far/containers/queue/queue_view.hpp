#pragma once
// The operations of far::queue, seen from one thread. See queue.hpp for the queue itself.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "far/base/raw_object.hpp"
#include "far/containers/promise.hpp"
#include "far/containers/queue/ring_phase.hpp"
#include "far/containers/queue/ring_ways.hpp"
#include "far/memory/ptr.hpp"

namespace far {
namespace containers {

/// What a way to use a ring can do.
template <class Access>
concept pushes = requires(Access& ring, const std::byte* values) { ring.try_push(values, 1); };
template <class Access>
concept pops = requires(Access& ring, std::byte* values) { ring.try_pop(values, 1); };
/// Others use it at the same time, so what is full or empty may not stay so.
template <class Access>
concept waits = requires(Access& ring) {
  ring.await_room(1);
  ring.await_value();
};

}  // namespace containers

/// One thread's view of a queue, valid while the queue lives. `Access` is the way that it was
/// asked for (queue::concurrent, writing, reading, local), which has the cost of each
/// operation, and decides which of them there are.
///
/// Completion: a value that was pushed is there for every pop that starts later (of views for one
///   phase: after the phase); a popped value is the caller's.
/// Linearizes at: successful pushes where their values become ready, pops where they have a claim
///   to values that are. Full and empty are answers, not errors, and count calls under way: a
///   push may be told "full" for values that other calls are just pushing or popping, and for
///   claims of others that are about to be told the same; a pop may be told "empty" for claims of
///   other pops that are about to be told the same. With no other call under way both are exact.
/// Progress: a push waits for those that came before it to end, and so does a pop for pops. By
///   calls the host's (see far::rpc), which policy::automatic may make where the host is on another
///   machine; else none but what its atomics need (docs/memory_model.md).
/// Threads: belongs to the thread of its world.
/// Ownership: values are copied before a call returns.
/// Errors: bad_argument for more values at once than the queue has room for; rank_failed where it
///   waits, and when a rank has died with a claim before this one it waits for ever. In debug
///   builds the program is aborted where a rank breaks the promise of a phase that all are in.
/// Checked by: queue_test.values_arrive_once_and_in_order, queue_history_test.is_linearizable,
/// queue_promise_test.use_otherwise_in_a_phase_ends_the_program
template <class T, class Access>
class queue_view {
 public:
  using value_type = T;

  /// `more`: what else such an access is made of.
  template <class... More>
  queue_view(const world& view, const containers::ring& where, containers::phase_record& phase,
             const More&... more)
      : access_(view, where, more...), promise_(phase, view.rank()) {}

  /// Appends a value. False, and nothing changes, if the queue is full.
  [[nodiscard]] bool try_push(const T& value)
    requires containers::pushes<Access>
  {
    return try_push(std::span<const T>(&value, 1));
  }
  /// Appends all values, one behind the other, or none. As one push in cost: W is one transfer, of
  /// two pieces where the values wrap around.
  /// Checked by: queue_test.spans_wrap_around
  [[nodiscard]] bool try_push(std::span<const T> values)
    requires containers::pushes<Access>
  {
    promise_.check("queue");
    return access_.try_push(std::as_bytes(values).data(), values.size());
  }

  /// Removes the oldest value, or gives nothing if the queue is empty.
  [[nodiscard]] std::optional<T> try_pop()
    requires containers::pops<Access>
  {
    promise_.check("queue");
    base::raw_object<T> object;
    if (access_.try_pop(object.bytes, 1) == 0) return std::nullopt;
    return object.value();
  }
  /// Removes the oldest values, as many as there are and `values` holds: how many.
  /// Checked by: queue_test.spans_wrap_around
  [[nodiscard]] std::size_t try_pop(std::span<T> values)
    requires containers::pops<Access>
  {
    promise_.check("queue");
    return access_.try_pop(std::as_writable_bytes(values).data(), values.size());
  }

  /// The same, but they wait while the queue is full, or empty: they look at its cursors (2 R),
  /// less and less often, up to a millisecond apart, and sleep between. Not fair: of several that
  /// wait, any is next, and many values wait longer for room than few.
  /// Checked by: queue_test.blocking_forms_wait, queue_failure_test.waiting_ends_when_a_rank_fails
  void push(const T& value)
    requires containers::waits<Access>
  {
    push(std::span<const T>(&value, 1));
  }
  void push(std::span<const T> values)
    requires containers::waits<Access>
  {
    while (!try_push(values)) access_.await_room(values.size());
  }
  [[nodiscard]] T pop()
    requires containers::waits<Access>
  {
    for (;;) {
      if (std::optional<T> value = try_pop()) return *value;
      access_.await_value();
    }
  }
  /// One value at least, unless there is room for none.
  [[nodiscard]] std::size_t pop(std::span<T> values)
    requires containers::waits<Access>
  {
    if (values.empty()) return 0;
    for (;;) {
      if (const std::size_t count = try_pop(values); count > 0) return count;
      access_.await_value();
    }
  }

 private:
  Access access_;
  containers::kept_promise<Access::promise> promise_;
};

}  // namespace far
