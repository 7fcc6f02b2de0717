#pragma once
// A hash table over all ranks.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <typeinfo>

#include "far/base/hash.hpp"
#include "far/containers/map/hash_map_phase.hpp"
#include "far/containers/map/hash_map_view.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/containers/map/shared_table.hpp"
#include "far/containers/policy.hpp"
#include "far/fabric/reach.hpp"
#include "far/homes/registry.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/collective_scope.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far {

/// Options of a hash_map in the segments.
struct hash_map_options {
  /// Who performs its operations; may differ between ranks.
  policy how = policy::automatic;
  /// Who performs its atomics, see far::allocate; the same on all ranks.
  amo_domain domain = amo_domain::cpu;
};

/// A map from K to V whose keys are distributed over the ranks by their hash. It has two forms:
///
///     far::hash_map<std::string, int> counts(world);         // by calls; grows
///     far::hash_map<std::uint64_t, int> ids(world, 1 << 24); // in the segments, for 2^24 keys:
///                                                            // one-sided, or by calls
///     counts.update_or_insert("word", 1, [](int& n, int more) { n += more; });
///     counts.update_or_insert_all(keys, 1, [](int& n, int more) { n += more; });
///     if (auto n = counts.find("word")) ...
///     for (auto [word, n] : counts.local()) ...
///
/// The first form keeps each rank's part in private memory, which grows as needed. The rank
/// performs the operations on its part, for other ranks by RPC. K and V may be any types that can
/// be serialized (far/rpc/serialize.hpp). The second form is a table of buckets in the segments.
/// Its K and V are trivially copyable and default constructible, of any size. All ranks access it
/// one-sided, or by calls where the policy says so; both may happen at the same time. In both forms
/// K has operator==, and equal keys have equal hashes on every rank (far::hash guarantees this,
/// std::hash need not).
///
/// The map has the operations of hash_map_view, for this rank's own thread. on(world) returns a
/// view for another thread, and with(policy) one with another policy. In a phase in which all ranks
/// do the same kind of operation, writing() and reading() return views with cheaper operations:
///
/// | view        | at the same time     | cost, one-sided                              |
/// |-------------|----------------------|----------------------------------------------|
/// | the map     | any operation        | map_costs::concurrent                        |
/// | `writing()` | changes by all ranks | map_costs::writing: cheaper changes          |
/// | `reading()` | finds by all ranks   | map_costs::reading: a find is one get        |
/// | `local()`   | nothing              | plain loads: this rank's part, as a range    |
///
/// The formulas of map_costs.hpp are for a key in its first bucket; `far model explain` and
/// docs/model.md show them. By calls, each operation is a message each way.
///
/// The constructor, the destructor, making and destroying views for a phase, size, clear and
/// compact are collective: one thread of each rank calls them, in the same order with other
/// collective calls. Other threads of the rank that have used the map one-sided call far::flush
/// first.
///
/// docs/hash_map.md explains step by step how it works.
///
/// Ownership: no view may outlive the map. Futures may, but those that are not ready when the map
/// is destroyed end with fabric_error.
/// Threads: any threads of any ranks may operate on the map at the same time, each through its
/// view.
/// Source: B. Brock et al., RDMA vs. RPC for implementing distributed data structures, 2019;
/// bucket_table.hpp states the differences.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.threads_share_a_rank,
/// hash_map_test.grows
template <class K, class V, class Hash = hash<K>>
class hash_map : public hash_map_view<K, V, Hash> {
  using part_type = containers::map_part<K, V, Hash>;

  /// Keeps this rank's part in the directory.
  struct registration {
    far::world world;
    homes::registry* directory;
    std::shared_ptr<part_type> part;
    homes::object_id id;

    explicit registration(const far::world& of)
        : world(of),
          directory(&world.state().get<homes::registry>()),
          part(std::make_shared<part_type>()),
          id(directory->add(part)) {
      // No message for the map arrives before all ranks have agreed on it.
      part->table.set_salt(id);
      part->work = containers::key_work(world.fabric());
    }
    ~registration() {
      if (world.state().ended()) return;  // the map has outlived its job
      directory->remove(id);
      if constexpr (part_type::may_be_shared) {
        if (part->is_shared()) deallocate(world, part->shared.first);
      }
    }
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
  };

 public:
  using view_type = hash_map_view<K, V, Hash>;
  using writing_view = hash_map_phase<K, V, Hash, containers::phase_kind::writing>;
  using reading_view = hash_map_phase<K, V, Hash, containers::phase_kind::reading>;

  /// Collective. Makes a map that works by calls and grows. Returns when it exists on every rank.
  /// Errors: bad_argument if ranks make different maps; rank_failed.
  /// Checked by: hash_map_test.maps_come_and_go
  explicit hash_map(const world& world)
      : hash_map(world, std::make_unique<registration>(world), policy::rpc) {
    homes::agree_on_object(world, this->id_, typeid(part_type).name());
  }

  /// Collective. Makes a map in the segments. `capacity`: keys of all ranks together, including
  /// erased ones.
  /// Cost: up to 2.5 buckets of memory a key, more for few keys. A bucket takes 8 bytes besides key
  /// and value; a size below 64 bytes is rounded up to a power of two.
  /// Errors: bad_argument if ranks make different maps, if the capacity is 0, or if it is more than
  /// memory has addresses for; out_of_memory, on every rank; rank_failed.
  /// Checked by: hash_map_capacity_test.refuses_what_cannot_be
  /// Checked by: hash_map_shared_test.the_interface_may_do_the_atomics
  hash_map(const world& world, std::uint64_t capacity, const hash_map_options& options = {})
    requires part_type::may_be_shared
      : hash_map(world, std::make_unique<registration>(world), options.how) {
    const amo_domain domain = options.domain;
    containers::agree_on_table(world, this->id_, typeid(part_type).name(), capacity, domain);
    auto& part = *this->part_;
    part.shared = containers::make_table<K, V>(world, capacity, domain);
    part.places =
        fabric::reached_on_ranks(world.atomics(), part.shared.first.address(), world.size());
    part.choices = containers::map_choices::make(world, domain);
    this->find_places();
    barrier(world);
  }
  hash_map(const world& world, std::uint64_t capacity, policy how)
    requires part_type::may_be_shared
      : hash_map(world, capacity, hash_map_options{.how = how}) {}

  /// Collective, unless an exception unwinds the stack. Returns when no rank uses the map any more.
  ~hash_map() { scope_.leave(this->world_); }
  hash_map(const hash_map&) = delete;
  hash_map& operator=(const hash_map&) = delete;

  /// Returns a view for another thread of this rank.
  [[nodiscard]] view_type on(const world& world) const noexcept {
    return view_type(world, *this->part_, this->id_, this->how_);
  }

  /// Collective. Begins a phase in which ranks only change the map, or do nothing with it; no rank
  /// looks up keys. Destroying the view ends the phase, collectively.
  /// Cost: map_costs::writing; begin and end a barrier each.
  /// Checked by: hash_map_phase_test.phases_follow_each_other
  [[nodiscard]] writing_view writing() const {
    return writing_view(this->world_, *this->part_, this->id_, this->how_);
  }
  /// Collective. Begins a phase in which ranks only look up keys; no rank changes the map. Ends as
  /// writing() does.
  /// Cost: find and contains R; begin and end a barrier each.
  /// Checked by: hash_map_phase_test.phases_follow_each_other
  [[nodiscard]] reading_view reading() const {
    return reading_view(this->world_, *this->part_, this->id_, this->how_);
  }

  /// Collective. Returns the number of keys of all ranks. Exact if no operations are in flight;
  /// operations that were complete when their rank called size are counted.
  /// Checked by: hash_map_test.equals_an_oracle
  [[nodiscard]] std::size_t size() const {
    barrier(this->world_);
    return allreduce(this->world_, this->local_size(), std::plus<>());
  }

  /// Collective. Removes all keys. In a map that grows, operations that other ranks or threads
  /// start at the same time may lose their effect or not; in the segments, no operation may run
  /// meanwhile.
  /// Checked by: hash_map_test.iterates_over_the_local_part
  /// Checked by: hash_map_shared_test.the_local_part_is_this_ranks
  void clear() const {
    barrier(this->world_);
    if (this->part_->is_shared()) {
      forget_buckets();
    } else {
      const typename part_type::lock lock(*this->part_);
      this->part_->table.clear();
    }
    barrier(this->world_);
  }

  /// Collective; no thread may use the map meanwhile. Rebuilds the table in the segments, which
  /// frees the buckets of erased keys. No-op for maps that grow.
  /// Cost: a copy of this rank's part, and two barriers.
  /// Checked by: hash_map_capacity_test.compact_makes_room
  void compact() const {
    barrier(this->world_);
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared()) containers::rebuild(this->part_->shared.here, this->hash_of);
    }
    barrier(this->world_);
  }

 private:
  hash_map(const world& world, std::unique_ptr<registration> mine, policy how)
      : view_type(world, *mine->part, mine->id, how), registration_(std::move(mine)) {}

  void forget_buckets() const {
    if constexpr (part_type::may_be_shared) {
      const auto here = this->part_->shared.here;
      std::memset(static_cast<void*>(here.data()), 0, here.size_bytes());
    }
  }

  std::unique_ptr<registration> registration_;
  collective_scope scope_;
};

}  // namespace far
