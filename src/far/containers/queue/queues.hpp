#pragma once
// A queue at each rank that all ranks use.

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
namespace containers {

/// What the queues own. A base class, so that it outlives their own views.
struct queues_parts {
  ring_set rings;
  std::unique_ptr<ring_choices> chooser;  ///< null if there is nothing to choose
};

}  // namespace containers

/// One thread's views of far::queues, one for each host, made at its first use; the queues
/// themselves are that of the thread that made them.
///
/// Cost: a pointer for each rank, some 150 bytes for each that is used.
/// Threads, ownership, errors: as queue_view.
/// Checked by: queues_test.each_value_comes_to_its_host
/// `More`: types of the access's further constructor arguments.
template <class T, class Access, class... More>
class queues_view {
 public:
  using view_type = queue_view<T, Access>;

  queues_view(const world& world, const containers::ring_set& rings, const More&... more)
      : world_(world),
        rings_(&rings),
        more_(more...),
        views_(static_cast<std::size_t>(world.size())) {}

  /// The queue at `host`. Errors: bad_argument for an invalid host.
  [[nodiscard]] view_type& at(int host) {
    if (host < 0 || host >= world_.size()) throw bad_argument("queues: there is no such rank");
    auto& there = views_[static_cast<std::size_t>(host)];
    if (!there) {
      there = std::apply(
          [&](const More&... more) {
            return std::make_unique<view_type>(world_, rings_->at(host), rings_->phase(), more...);
          },
          more_);
    }
    return *there;
  }

  /// The same queues with another policy, for the same thread.
  /// Checked by: queues_test.each_value_comes_to_its_host
  [[nodiscard]] queues_view with(policy how) const
    requires containers::has_policy<Access>
  {
    return {world_, *rings_, how, std::get<1>(more_)};
  }

 protected:
  world world_;
  const containers::ring_set* rings_;

 private:
  [[no_unique_address]] std::tuple<More...> more_;
  std::vector<std::unique_ptr<view_type>> views_;
};

/// A queue at each rank, all of the same capacity: inboxes for data that are sent to the rank where
/// they belong. Each is like far::queue, with its views and its costs:
///
///     far::queues<edge> inboxes(world, 10000);
///     {
///       auto out = inboxes.writing();                  // all push: the cheapest way
///       for (const edge& e : mine) if (!out.at(owner(e)).try_push(e)) ...
///     }                                                // all pushes are complete, everywhere
///     auto in = inboxes.local();
///     while (auto e = in.try_pop()) ...
///
/// at(host) is for any time, `writing()` for phases of pushes, `local()` for a rank's own queue
/// while no other rank uses it.
///
/// The constructor and the destructor are collective; so are creating and destroying the view of a
/// phase (writing). While an exception destroys the queues or a view, its destructor does not wait
/// for other ranks.
///
/// Ownership: views must be destroyed before the queues.
/// Threads: the queues, as each view, belong to one thread; others get theirs by on(world).
/// Source: as far::queue; the benchmarks of rdma-vs-rpc have one at each process.
/// Checked by: queues_test.each_value_comes_to_its_host,
/// queues_test.phases_end_where_they_were_full
template <class T>
class queues : private containers::queues_parts,
               public queues_view<T, containers::ring_ways, policy, containers::ring_choices*> {
  static_assert(remote_object<T>, "far::queues hold trivially copyable values");

 public:
  using value_type = T;
  using view_type = queues_view<T, containers::ring_ways, policy, containers::ring_choices*>;
  using local_view = queue_view<T, containers::ring_local>;

  /// Collective: all ranks give the same capacity. `domain`: as in far::queue.
  /// Cost: capacity * sizeof(T) + 256 bytes of every rank's symmetric heap.
  /// Errors: bad_argument for a capacity of 0, and if ranks make different objects;
  ///   out_of_memory; rank_failed.
  /// Checked by: queues_test.refuses_what_cannot_be
  queues(const world& world, std::uint64_t capacity, amo_domain domain = amo_domain::cpu)
      : containers::queues_parts{{world, slots_of(world, capacity), capacity, sizeof(T), domain,
                                  typeid(queues).name()},
                                 containers::ring_choices::make(world, 0, world.size(), domain)},
        view_type(on(world)) {}

  [[nodiscard]] std::uint64_t capacity() const noexcept { return rings.capacity(); }

  /// The views of another thread of this rank, for any time, with policy::automatic.
  /// Cost of operations: queue_costs::concurrent; by calls a message each way.
  /// Checked by: queues_test.threads_share_a_rank
  [[nodiscard]] view_type on(const world& world) const {
    return {world, rings, policy::automatic, chooser.get()};
  }
  /// As queue::choices, summed over all queues.
  [[nodiscard]] model::choice_counts choices() const {
    return chooser == nullptr ? model::choice_counts() : chooser->counted();
  }

  class writing_view;
  /// Collective: begins a phase in which ranks only push, if anything. Destroying the view is
  /// collective too and ends the phase; then all ranks see its values. After a refused push of a
  /// rank to a host ("full"), all its later pushes to that host fail until the phase ends.
  /// Cost: queue_costs::writing, for each host once R more, when it has had as many values as it
  /// holds; begin a barrier, end two barriers.
  /// Checked by: queues_test.phases_end_where_they_were_full
  [[nodiscard]] writing_view writing() const { return writing_view(rings); }

  /// The rank's own queue, while no other rank uses it: as queue::local.
  /// Cost: push and pop l.
  /// Checked by: queues_test.phases_end_where_they_were_full
  [[nodiscard]] local_view local() const {
    return {rings.world(), rings.at(rings.world().rank()), rings.phase()};
  }

  /// Closes the rank's own queue after rank_failed: as queue::close.
  /// Checked by: killed_queue_user_test.leaves_what_was_pushed_to_inboxes
  [[nodiscard]] queue_rest<T> close() const {
    return containers::rest_of<T>(rings.world(), rings.at(rings.world().rank()));
  }

 private:
  static ptr<std::byte> slots_of(const world& world, std::uint64_t capacity) {
    if (capacity == 0) throw bad_argument("queues: capacity of 0 values: must be 1 or more");
    return reinterpret_pointer_cast<std::byte>(allocate<T>(world, capacity));
  }
};

/// The view that queues::writing returns.
template <class T>
class queues<T>::writing_view : public queues_view<T, containers::phase_pushes> {
  using pushes = containers::phase_pushes;

 public:
  ~writing_view() {
    scope_.leave(this->world_,
                 [this] { pushes::settle(this->world_, this->rings_->at(this->world_.rank())); });
  }
  writing_view(const writing_view&) = delete;
  writing_view& operator=(const writing_view&) = delete;

 private:
  friend class queues;

  explicit writing_view(const containers::ring_set& rings)
      : queues_view<T, pushes>(begun(rings.world()), rings),
        phase_guard_(rings.phase(), rings.world().rank()) {}

  static const world& begun(const world& world) {
    containers::begin_phase(world, pushes::phase, "queues");
    return world;
  }

  containers::phase_guard<pushes::phase> phase_guard_;
  collective_scope scope_;
};

}  // namespace far
