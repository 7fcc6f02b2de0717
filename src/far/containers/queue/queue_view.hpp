#pragma once
// The operations of far::queue, seen from one thread. See queue.hpp for the queue itself.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "far/base/raw_object.hpp"
#include "far/containers/phase.hpp"
#include "far/containers/policy.hpp"
#include "far/containers/queue/ring_phase.hpp"
#include "far/containers/queue/ring_ways.hpp"
#include "far/memory/ptr.hpp"

namespace far {
namespace containers {

/// What an access to a ring can do.
template <class Access>
concept pushes = requires(Access& ring, const std::byte* values) { ring.try_push(values, 1); };
template <class Access>
concept pops = requires(Access& ring, std::byte* values) { ring.try_pop(values, 1); };
/// Other ranks use the ring at the same time, so it may not stay full or empty.
template <class Access>
concept waits = requires(Access& ring) {
  ring.await_space(1);
  ring.await_value();
};

/// It is one-sided or by calls, as a policy says.
template <class Access>
concept has_policy = requires(const Access& ring, policy how) { ring.with(how); };

}  // namespace containers

/// One thread's view of a queue, valid while the queue lives; the queue itself is that of the
/// thread that made it. `Access` is the kind of view: for any time, or queue::writing, reading or
/// local. It determines which operations there are and what they cost.
///
/// Completion: a pushed value is visible to every pop that starts later (in a phase: to every pop
///   after the phase); a popped value is the caller's.
/// Linearizes at: successful pushes where their values become ready, pops where they have a claim
///   to values that are ready. "Full" and "empty" are results, not errors, and count calls in
///   flight: a push may return "full" because of values that other calls are pushing or popping,
///   and because of claims that are about to be refused too. A pop may return "empty" because of
///   claims of other pops that are about to be refused too. With no other call in flight both are
///   exact.
/// Progress: a push waits for earlier pushes to complete, and a pop for earlier pops. Calls need
///   the host's progress (see far::rpc); policy::automatic may make them if the host is on another
///   machine. One-sided operations need only what their atomics need (docs/memory_model.md).
/// Threads: belongs to the thread of its world.
/// Ownership: values are copied before a call returns.
/// Errors: bad_argument for more values at once than the queue has slots; rank_failed while it
///   waits, in particular for an earlier claim of a rank that has died. In debug builds the program
///   is aborted if a rank breaks the promise of the current phase.
/// Checked by: queue_test.values_arrive_once_and_in_order, queue_history_test.is_linearizable,
/// queue_phase_death_test.use_otherwise_in_a_phase_ends_the_program
template <class T, class Access>
class queue_view {
 public:
  using value_type = T;

  /// `more`: further constructor arguments of the access.
  template <class... More>
  queue_view(const world& world, const containers::ring& where, containers::phase_record& phase,
             const More&... more)
      : access_(world, where, more...), phase_guard_(phase, world.rank()) {}

  /// The same queue with another policy, for the same thread. Views of all policies may be used at
  /// the same time.
  /// Checked by: queue_test.one_sided_and_calls_mix
  [[nodiscard]] queue_view with(policy how) const
    requires containers::has_policy<Access>
  {
    return queue_view(access_.with(how), phase_guard_);
  }

  /// Appends a value. Returns false, and changes nothing, if the queue is full.
  [[nodiscard]] bool try_push(const T& value)
    requires containers::pushes<Access>
  {
    return try_push(std::span<const T>(&value, 1));
  }
  /// Appends all values in order, or none. Costs the same as one push: W is one transfer, of two
  /// pieces if the values wrap around.
  /// Checked by: queue_test.spans_wrap_around
  [[nodiscard]] bool try_push(std::span<const T> values)
    requires containers::pushes<Access>
  {
    phase_guard_.check("queue");
    return access_.try_push(std::as_bytes(values).data(), values.size());
  }

  /// Removes the oldest value. Returns nothing if the queue is empty.
  [[nodiscard]] std::optional<T> try_pop()
    requires containers::pops<Access>
  {
    phase_guard_.check("queue");
    base::raw_object<T> object;
    if (access_.try_pop(object.bytes, 1) == 0) return std::nullopt;
    return object.value();
  }
  /// Removes the oldest values, as many as there are and `values` can hold. Returns how many.
  /// Checked by: queue_test.spans_wrap_around
  [[nodiscard]] std::size_t try_pop(std::span<T> values)
    requires containers::pops<Access>
  {
    phase_guard_.check("queue");
    return access_.try_pop(std::as_writable_bytes(values).data(), values.size());
  }

  /// The same, but they wait while the queue is full, or empty: they look at its cursors (2 R) with
  /// backoff, up to a millisecond apart, and sleep between. Not fair: any of several waiters may be
  /// next, and many values wait longer for space than few.
  /// Checked by: queue_test.blocking_forms_wait, queue_failure_test.waiting_ends_when_a_rank_fails
  void push(const T& value)
    requires containers::waits<Access>
  {
    push(std::span<const T>(&value, 1));
  }
  void push(std::span<const T> values)
    requires containers::waits<Access>
  {
    while (!try_push(values)) access_.await_space(values.size());
  }
  [[nodiscard]] T pop()
    requires containers::waits<Access>
  {
    for (;;) {
      if (std::optional<T> value = try_pop()) return *value;
      access_.await_value();
    }
  }
  /// Waits for at least one value, unless `values` is empty.
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
  queue_view(const Access& access, const containers::phase_guard<Access::phase>& guard)
      : access_(access), phase_guard_(guard) {}

  Access access_;
  containers::phase_guard<Access::phase> phase_guard_;
};

}  // namespace far
