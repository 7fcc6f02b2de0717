#pragma once
// A queue at one rank, that all ranks use.

#include <cstdint>
#include <memory>
#include <typeinfo>

#include "far/containers/policy.hpp"
#include "far/containers/queue/queue_view.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/containers/queue/ring_choices.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/memory/allocate.hpp"
#include "far/world/world.hpp"

namespace far {

/// A first-in first-out queue of up to `capacity` values, a ring in the memory of one rank, its
/// host. T is trivially copyable, of any size. Each rank may push and pop, in a way that it
/// promises:
///
///     far::queue<job> jobs(world, 0, 1000);               // at rank 0
///     auto mine = jobs.concurrent();
///     mine.push(job{...});
///     while (auto next = mine.try_pop()) ...
///
/// | view           | at the same time               | push and pop                            |
/// |----------------|--------------------------------|-----------------------------------------|
/// | `concurrent()` | anything, one-sided or by call | a claim, the transfer, and its turn     |
/// | `writing()`    | pushes of `writing` views      | a push is a claim and the transfer      |
/// | `reading()`    | pops of `reading` views        | a pop is a claim and the transfer       |
/// | `local()`      | nothing; at the host only      | work in the host's own memory           |
///
/// By a call, concurrent() costs a message each way instead. It makes one where the host is on
/// another machine and a call costs less, or where policy::rpc says so.
///
/// Cost: the formulas are in queue_costs.hpp; `far model explain` and docs/model.md show them.
///
/// The constructor and the destructor are collective, and so are making and destroying views for a
/// phase (writing, reading). Like that of a view, the destructor waits for nobody while an
/// exception is on its way.
///
/// How it works, step by step: docs/queue.md.
///
/// Ownership: views must go before the queue.
/// Threads: views belong to a thread each; a rank's threads take theirs by concurrent(view).
/// Source: hosted circular queue of Brock, Chen, Yan, Owens, Buluc, Yelick 2019, "RDMA vs. RPC for
/// implementing distributed data structures", with claims that are given back (ring.hpp).
/// Checked by: queue_test.values_arrive_once_and_in_order, queue_test.one_sided_and_calls_mix
template <class T>
class queue {
  static_assert(remote_object<T>, "a far::queue holds trivially copyable values");

 public:
  using value_type = T;
  using concurrent_view = queue_view<T, containers::ring_ways>;
  using writing_view = queue_view<T, containers::ring_writer>;
  using reading_view = queue_view<T, containers::ring_reader>;
  using local_view = queue_view<T, containers::ring_local>;

  /// Collective: all ranks give the same host and capacity. Returns when the queue is there.
  /// `domain`: who performs the atomics of its cursors, see far::allocate; with `nic`, and an
  /// interface that has atomics, one-sided views do not need the host's processor.
  /// Cost: capacity * sizeof(T) bytes of the host's local heap, 256 of every rank's symmetric one.
  /// Errors: bad_argument for a host that there is not, a capacity of 0 or beyond what memory can
  /// have addresses for, and where ranks make different queues; out_of_memory; rank_failed.
  /// Checked by: queue_failure_test.refuses_what_cannot_be
  queue(const world& view, int host, std::uint64_t capacity, amo_domain domain = amo_domain::cpu)
      : ring_(view, host, capacity, sizeof(T), alignof(T), domain, typeid(queue).name()),
        choices_(containers::ring_choices::make(view, host, 1, domain)) {}

  [[nodiscard]] int host() const noexcept { return ring_->host(); }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return ring_->capacity; }

  /// For pushes and pops of any rank at any time. `view`: of the thread that uses it. `how`:
  /// one-sided, or by messages, of which the host does the steps in progress of any of its calls;
  /// or whichever costs less, for each operation. Views of all may be used at the same time; what
  /// one-sided operations under way keep the host from ending, the caller ends.
  /// Cost: queue_costs::concurrent; by calls a message each way.
  /// Checked by: queue_test.values_arrive_once_and_in_order, queue_history_test.is_linearizable,
  /// queue_test.one_sided_and_calls_mix, queue_history_test.calls_are_linearizable,
  /// queue_automatic_test.loses_little_however_attentive_the_host_is
  [[nodiscard]] concurrent_view concurrent(policy how = policy::automatic) const {
    return concurrent(ring_.view(), how);
  }
  [[nodiscard]] concurrent_view concurrent(const world& view,
                                           policy how = policy::automatic) const {
    return {view, *ring_, ring_.phase(), how, choices_.get()};
  }
  /// How often policy::automatic has chosen which way at this rank, where there was a choice.
  /// Checked by: queue_automatic_test.counts_what_it_chooses
  [[nodiscard]] model::choice_counts choices() const {
    return choices_ == nullptr ? model::choice_counts() : choices_->counted();
  }

  /// Collective: begins a phase in which all ranks push, or stand by; the view's end, collective
  /// too, ends it, and then its values are there for all. Once a push of a rank has been told
  /// "full", so are all of that rank until the phase ends, and all of fewer values by others.
  /// Cost: queue_costs::writing, once R more; begin a barrier, end two barriers.
  /// Errors: bad_argument, in debug builds, where other ranks begin a phase of pops.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] writing_view writing() const { return {ring_.view(), *ring_, ring_.phase()}; }
  /// Collective: the same with pops.
  /// Cost: queue_costs::reading; begin a barrier and an R, end as writing.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] reading_view reading() const { return {ring_.view(), *ring_, ring_.phase()}; }

  /// At the host: for as long as no other view is used anywhere. The caller sees to that, by
  /// barriers say, before and after; that is the synchronisation too (docs/memory_model.md, 12).
  /// Errors: bad_argument on other ranks.
  /// Cost: push and pop l.
  /// Checked by: queue_test.phases_follow_each_other
  [[nodiscard]] local_view local() const { return {ring_.view(), *ring_, ring_.phase()}; }

  /// At the host, for who saves the values after rank_failed: from now on nobody pushes or pops,
  /// and what is left is told. A value whose push has returned is among `values` unless a pop has
  /// taken it; each is there once, in the queue's order. A pop that was thrown out of its last
  /// step, or died there, may have taken its values with it. Of a phase that the failure broke off,
  /// queue_rest says what is in doubt. Again gives the same. local() is no more of use.
  ///
  ///     } catch (const far::rank_failed&) {
  ///       if (world.rank() == jobs.host()) for (const job& one : jobs.close().values) save(one);
  ///
  /// Errors: bad_argument in a job that has not failed, and on other ranks.
  /// Cost: four atomics on own memory, and a copy of what is left. Does not communicate.
  /// Checked by: killed_queue_user_test.leaves_what_was_pushed,
  /// killed_queue_user_test.leaves_what_was_pushed_in_phases,
  /// killed_queue_user_test.leaves_what_was_pushed_to_processes,
  /// queue_rest_test.is_for_jobs_that_have_failed
  [[nodiscard]] queue_rest<T> close() const { return containers::rest_of<T>(ring_.view(), *ring_); }

 private:
  containers::owned_ring ring_;
  std::unique_ptr<containers::ring_choices> choices_;
};

}  // namespace far
