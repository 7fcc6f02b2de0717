#pragma once
// A queue at each rank, that all ranks use.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <typeinfo>
#include <vector>

#include "far/base/error.hpp"
#include "far/containers/policy.hpp"
#include "far/containers/queue/queue_view.hpp"
#include "far/containers/queue/ring_choices.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/containers/queue/ring_set.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's views of far::queues, one for each host, made when it is first asked for.
///
/// Cost: a pointer for each rank, some 150 bytes for each that is used.
/// Threads, ownership, errors: as queue_view.
/// Checked by: queues_test.each_value_comes_to_its_host
/// `More`: what else than a ring each access is made of.
template <class T, class Access, class... More>
class queues_view {
 public:
  using view_type = queue_view<T, Access>;

  queues_view(const world& view, const containers::ring_set& rings, const More&... more)
      : view_(view),
        rings_(&rings),
        more_(more...),
        views_(static_cast<std::size_t>(view.size())) {}

  /// The queue at `host`. Errors: bad_argument for a host that there is not.
  [[nodiscard]] view_type& at(int host) {
    if (host < 0 || host >= view_.size()) throw bad_argument("queues: there is no such rank");
    auto& there = views_[static_cast<std::size_t>(host)];
    if (!there) {
      there = std::apply(
          [&](const More&... more) {
            return std::make_unique<view_type>(view_, rings_->at(host), rings_->phase(), more...);
          },
          more_);
    }
    return *there;
  }

 protected:
  world view_;
  const containers::ring_set* rings_;

 private:
  [[no_unique_address]] std::tuple<More...> more_;
  std::vector<std::unique_ptr<view_type>> views_;
};

/// A queue at each rank, all of the same capacity: inboxes, as data that are sent to where they
/// belong need them. Each is as far::queue, with its views and its costs:
///
///     far::queues<edge> inboxes(world, 10000);
///     {
///       auto out = inboxes.writing();                  // all push: the cheapest way
///       for (const edge& e : mine) if (!out.at(owner(e)).try_push(e)) ...
///     }                                                // all pushes have ended, everywhere
///     auto in = inboxes.local();
///     while (auto e = in.try_pop()) ...
///
/// `concurrent()` is for any time, `writing()` for phases of pushes, `local()` for a rank's own
/// queue while nobody else uses it.
///
/// The constructor and the destructor are collective, and so are making and destroying the view of
/// a phase (writing). Like that of a view, the destructor waits for nobody while an exception is on
/// its way.
///
/// Ownership: views must go before the queues.
/// Threads: views belong to a thread each; a rank's threads take theirs by concurrent(view).
/// Source: as far::queue, of which rdma-vs-rpc's benchmarks have one at each process.
/// Checked by: queues_test.each_value_comes_to_its_host,
/// queues_test.phases_end_where_they_were_full
template <class T>
class queues {
  static_assert(remote_object<T>, "far::queues hold trivially copyable values");

 public:
  using value_type = T;
  using concurrent_view = queues_view<T, containers::ring_ways, policy, containers::ring_choices*>;
  using local_view = queue_view<T, containers::ring_local>;

  /// Collective: all ranks give the same capacity. `domain`: as of far::queue.
  /// Cost: capacity * sizeof(T) + 256 bytes of every rank's symmetric heap.
  /// Errors: bad_argument for a capacity of 0, and where ranks make different objects;
  ///   out_of_memory; rank_failed.
  /// Checked by: queues_test.refuses_what_cannot_be
  queues(const world& view, std::uint64_t capacity, amo_domain domain = amo_domain::cpu)
      : rings_(view, slots_of(view, capacity), capacity, sizeof(T), domain, typeid(queues).name()),
        choices_(containers::ring_choices::make(view, 0, view.size(), domain)) {}

  [[nodiscard]] std::uint64_t capacity() const noexcept { return rings_.capacity(); }

  /// For pushes and pops of any rank at any time, as queue::concurrent. `view`: of the thread that
  /// uses it.
  /// Cost: queue_costs::concurrent; by calls a message each way.
  /// Checked by: queues_test.each_value_comes_to_its_host
  [[nodiscard]] concurrent_view concurrent(policy how = policy::automatic) const {
    return concurrent(rings_.view(), how);
  }
  [[nodiscard]] concurrent_view concurrent(const world& view,
                                           policy how = policy::automatic) const {
    return {view, rings_, how, choices_.get()};
  }
  /// As queue::choices, of all of them.
  [[nodiscard]] model::choice_counts choices() const {
    return choices_ == nullptr ? model::choice_counts() : choices_->counted();
  }

  class writing_view;
  /// Collective: begins a phase in which all ranks push, or stand by; the view's end, collective
  /// too, ends it, and then its values are there for all. Once a push of a rank to a host has been
  /// told "full", so are all of that rank to that host until the phase ends.
  /// Cost: queue_costs::writing, for each host once R more, when it has had as many values as it
  /// holds; begin a barrier, end two barriers.
  /// Checked by: queues_test.phases_end_where_they_were_full
  [[nodiscard]] writing_view writing() const { return writing_view(rings_); }

  /// Of the rank's own queue, for as long as nobody else uses it: as queue::local.
  /// Cost: push and pop l.
  /// Checked by: queues_test.phases_end_where_they_were_full
  [[nodiscard]] local_view local() const {
    return {rings_.view(), rings_.at(rings_.view().rank()), rings_.phase()};
  }

  /// The rank's own, after rank_failed: as queue::close.
  /// Checked by: killed_queue_user_test.leaves_what_was_pushed_to_inboxes
  [[nodiscard]] queue_rest<T> close() const {
    return containers::rest_of<T>(rings_.view(), rings_.at(rings_.view().rank()));
  }

 private:
  static ptr<std::byte> slots_of(const world& view, std::uint64_t capacity) {
    if (capacity == 0) throw bad_argument("queues: room for 0 values: it can be 1 or more");
    return reinterpret_pointer_cast<std::byte>(allocate<T>(view, capacity));
  }

  containers::ring_set rings_;
  std::unique_ptr<containers::ring_choices> choices_;
};

/// Of queues::writing.
template <class T>
class queues<T>::writing_view : public queues_view<T, containers::phase_pushes> {
  using pushes = containers::phase_pushes;

 public:
  ~writing_view() {
    scope_.leave(this->view_,
                 [this] { pushes::settle(this->view_, this->rings_->at(this->view_.rank())); });
  }
  writing_view(const writing_view&) = delete;
  writing_view& operator=(const writing_view&) = delete;

 private:
  friend class queues;

  explicit writing_view(const containers::ring_set& rings)
      : queues_view<T, pushes>(begun(rings.view()), rings),
        promise_(rings.phase(), rings.view().rank()) {}

  static const world& begun(const world& view) {
    containers::begin_phase(view, pushes::promise, "queues");
    return view;
  }

  containers::kept_promise<pushes::promise> promise_;
  collective_scope scope_;
};

}  // namespace far
