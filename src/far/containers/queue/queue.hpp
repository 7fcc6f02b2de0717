#pragma once
// A queue at one rank that all ranks use.

#include <cstdint>
#include <typeinfo>

#include "far/containers/policy.hpp"
#include "far/containers/queue/queue_view.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/containers/queue/ring_choices.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/memory/allocate.hpp"
#include "far/world/world.hpp"

namespace far {

/// A first-in first-out queue of up to `capacity` values: a ring in the memory of one rank, its
/// host. T is trivially copyable, of any size. Each rank may push and pop at any time:
///
///     far::queue<job> jobs(world, 0, 1000);               // at rank 0
///     jobs.push(job{...});
///     while (auto next = jobs.try_pop()) ...
///
/// The queue has the operations of queue_view, for this rank's own thread. on(world) returns a view
/// for another thread, and with(policy) one with another policy. Where all ranks promise to do only
/// one thing at a time, writing(), reading() and local() return views with cheaper operations:
///
/// | view           | at the same time               | push and pop                            |
/// |----------------|--------------------------------|-----------------------------------------|
/// | the queue      | anything, one-sided or by call | a claim, the transfer, and its turn     |
/// | `writing()`    | pushes of `writing` views      | a push is a claim and the transfer      |
/// | `reading()`    | pops of `reading` views        | a pop is a claim and the transfer       |
/// | `local()`      | nothing; at the host only      | work in the host's own memory           |
///
/// By a call, an operation of the queue costs a message each way instead. The queue makes a call if
/// the host is on another machine and a call costs less, or with policy::rpc.
///
/// Cost: the formulas are in queue_costs.hpp; `far model explain` and docs/model.md show them.
///
/// The constructor and the destructor are collective; so are creating and destroying the view of a
/// phase (writing, reading). While an exception destroys the queue or a view, its destructor does
/// not wait for other ranks.
///
/// How it works, step by step: docs/queue.md.
///
/// Ownership: views must be destroyed before the queue.
/// Threads: the queue, as each view, belongs to one thread; others get theirs by on(world).
/// Source: hosted circular queue of Brock, Chen, Yan, Owens, Buluc, Yelick 2019, "RDMA vs. RPC for
/// implementing distributed data structures", with claims that are given back (ring.hpp).
/// Checked by: queue_test.values_arrive_once_and_in_order, queue_test.one_sided_and_calls_mix
template <class T>
class queue : private containers::queue_parts, public queue_view<T, containers::ring_ways> {
  static_assert(remote_object<T>, "a far::queue holds trivially copyable values");

 public:
  using value_type = T;
  using view_type = queue_view<T, containers::ring_ways>;
  using writing_view = queue_view<T, containers::ring_writer>;
  using reading_view = queue_view<T, containers::ring_reader>;
  using local_view = queue_view<T, containers::ring_local>;

  /// Collective: all ranks give the same host and capacity. Returns when the queue is ready.
  /// `domain`: who performs the atomics on its cursors, see far::allocate. With `nic`, and a
  /// network interface that has atomics, one-sided views do not need the host's processor.
  /// Cost: capacity * sizeof(T) bytes of the host's local heap, 256 of every rank's symmetric one.
  /// Errors: bad_argument for an invalid host, a capacity of 0 or more than can be addressed, and
  /// if ranks make different queues; out_of_memory; rank_failed.
  /// Checked by: queue_failure_test.refuses_what_cannot_be
  queue(const world& world, int host, std::uint64_t capacity, amo_domain domain = amo_domain::cpu)
      : containers::queue_parts{{world, host, capacity, sizeof(T), alignof(T), domain,
                                 typeid(queue).name()},
                                containers::ring_choices::make(world, host, 1, domain)},
        view_type(on(world)) {}

  [[nodiscard]] int host() const noexcept { return ring->host(); }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return ring->capacity; }

  /// A view for another thread of this rank, for pushes and pops at any time, as the queue itself.
  /// Its policy, as the queue's, is automatic: for each operation the cheaper of one-sided and by a
  /// message, where the host does the steps whenever it makes progress. with(policy) gives another.
  /// If one-sided operations in flight keep the host from completing a call, the caller completes
  /// it.
  /// Cost of operations: queue_costs::concurrent; by calls a message each way.
  /// Checked by: queue_failure_test.threads_share_a_rank, queue_history_test.is_linearizable,
  /// queue_test.one_sided_and_calls_mix, queue_history_test.calls_are_linearizable,
  /// queue_automatic_test.loses_little_however_attentive_the_host_is
  [[nodiscard]] view_type on(const world& world) const {
    return {world, *ring, ring.phase(), policy::automatic, chooser.get()};
  }
  /// How often policy::automatic has chosen each way at this rank, where there was a choice.
  /// Checked by: queue_automatic_test.counts_what_it_chooses
  [[nodiscard]] model::choice_counts choices() const {
    return chooser == nullptr ? model::choice_counts() : chooser->counted();
  }

  /// Collective: begins a phase in which ranks only push, if anything. Destroying the view is
  /// collective too and ends the phase; then all ranks see its values. After a refused push
  /// ("full"), all later pushes fail until the phase ends, also those of other ranks and of fewer
  /// values.
  /// Cost: queue_costs::writing, once R more; begin a barrier, end two barriers.
  /// Errors: bad_argument, in debug builds, where other ranks begin a phase of pops.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] writing_view writing() const { return {ring.world(), *ring, ring.phase()}; }
  /// Collective: the same for pops.
  /// Cost: queue_costs::reading; begin a barrier and an R, end as writing.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] reading_view reading() const { return {ring.world(), *ring, ring.phase()}; }

  /// At the host, while no other view is used anywhere. The caller ensures that, for example by
  /// barriers before and after, which are also the synchronisation (docs/memory_model.md, 12).
  /// Errors: bad_argument on other ranks.
  /// Cost: push and pop l.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] local_view local() const { return {ring.world(), *ring, ring.phase()}; }

  /// At the host, to save the values after rank_failed: stops all pushes and pops, and returns what
  /// is left. A value whose push has returned is among `values` unless a pop has taken it; each
  /// value is there once, in the queue's order. A pop that the failure interrupted in its last step
  /// may have taken its values with it. If the failure interrupted a phase, queue_rest says which
  /// values are in doubt. Another call returns the same. local() must not be used afterwards.
  ///
  ///     } catch (const far::rank_failed&) {
  ///       if (world.rank() == jobs.host()) for (const job& one : jobs.close().values) save(one);
  ///
  /// Errors: bad_argument in a job that has not failed, and on other ranks.
  /// Cost: four atomics on the host's own memory, and a copy of what is left. Does not communicate.
  /// Checked by: killed_queue_user_test.leaves_what_was_pushed,
  /// killed_queue_user_test.leaves_what_was_pushed_in_phases,
  /// killed_queue_user_test.leaves_what_was_pushed_to_processes,
  /// queue_rest_test.is_for_jobs_that_have_failed
  [[nodiscard]] queue_rest<T> close() const { return containers::rest_of<T>(ring.world(), *ring); }
};

}  // namespace far
