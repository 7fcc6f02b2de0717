#pragma once
// The operations of far::hash_map, as one thread uses them. See hash_map.hpp for the map itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/hash.hpp"
#include "far/containers/map/local_items.hpp"
#include "far/containers/map/map_choices.hpp"
#include "far/containers/map/map_operations.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/containers/map/map_ways.hpp"
#include "far/containers/policy.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far {

template <class K, class V, class Hash>
class hash_map;

/// One thread's view of a hash_map: cheap to copy, valid while the map lives. The view of a phase
/// (hash_map::writing, hash_map::reading) has only the operations of that phase. Each operation has
/// the same forms:
///
///   op(key, ...)         waits for the result
///   op_async(key, ...)   returns a future; keys and operands are copied before it returns
///   op_many(keys, ...)   returns the results in the order of the keys, of which there may be
///                        millions. By calls: few large messages to each home, several in flight
///                        at a time. One-sided: up to 128 operations in flight
///
/// Completion: the operation has taken place when its result is available.
/// Linearizes at: while the home holds the lock of its part; in the segments, where the bucket is
///   unlocked, or read by a find. Each key of op_many linearizes by itself.
/// Ordering: a rank's operations on a key take place in program order, in phases too, if each is
///   awaited before the next, whatever their policies. None between asynchronous operations, nor
///   between the keys of one op_many, even equal ones.
/// Progress: calls need that of the home (see far::rpc); one-sided operations, and those on keys
///   of this rank, need none.
/// Threads: belongs to the thread of its world; hash_map::on returns views for other threads.
/// Cost: by calls, a lock and a search for keys of this rank, one far::rpc for others. One-sided,
///   for a key in its first bucket: the formulas of map_costs.hpp, which `far model explain` and
///   docs/model.md show. Each further bucket that is probed costs an A_cas, for erase an R, for
///   find 2 A_fao, and sometimes an R.
/// Errors: rank_failed; out_of_memory if the home has no memory or no bucket left; what functions
///   throw.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.batches_equal_single_operations,
/// hash_map_phase_test.a_rank_sees_its_own_changes
template <class K, class V, class Hash, containers::phase_kind P = containers::phase_kind::mixed>
class hash_map_view : protected containers::map_ways<K, V, Hash, P> {
  using map_ways = containers::map_ways<K, V, Hash, P>;
  static_assert(!std::is_same_v<K, bool>, "for bool keys, use an array of two values");
  static constexpr bool changes = P != containers::phase_kind::reading;
  static constexpr bool adds = requires(V& value, const V& more) { value += more; };
  static constexpr bool finds = P != containers::phase_kind::writing;

 public:
  using key_type = K;
  using mapped_type = V;
  using part_type = containers::map_part<K, V, Hash>;

  /// Returns a view with another policy. Views with different policies may be used at the same
  /// time, in a phase too.
  /// Errors: bad_argument for policy::one_sided if the map is not in the segments.
  /// Checked by: hash_map_shared_test.one_sided_and_calls_mix, hash_map_phase_test.no_count_is_lost
  [[nodiscard]] hash_map_view with(policy how) const {
    if (how == policy::one_sided && !this->part_->is_shared()) containers::throw_not_shared();
    return hash_map_view(this->world_, *this->part_, this->id_, how);
  }

  /// The rank that holds `key`: its home.
  [[nodiscard]] int owner(const K& key) const noexcept {
    return this->owner_of(this->hash_of(key));
  }

  // -- one key

  /// Adds a key. Returns false, and changes nothing, if it is already there.
  bool insert(const K& key, const V& value) const
    requires changes
  {
    return this->run(containers::insert_op{}, key, value);
  }
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value) const
    requires changes
  {
    return this->start(containers::insert_op{}, key, value);
  }

  /// Adds a key or replaces its value. Returns true if the key is new.
  bool insert_or_assign(const K& key, const V& value) const
    requires changes
  {
    return this->run(containers::assign_op{}, key, value);
  }
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value) const
    requires changes
  {
    return this->start(containers::assign_op{}, key, value);
  }

  /// Returns a copy of the key's value, or nothing.
  [[nodiscard, gnu::always_inline]] inline std::optional<V> find(const K& key) const
    requires finds
  {
    return this->run(containers::find_op{}, key);
  }
  [[nodiscard]] future<std::optional<V>> find_async(const K& key) const
    requires finds
  {
    return this->start(containers::find_op{}, key);
  }

  [[nodiscard]] bool contains(const K& key) const
    requires finds
  {
    return this->run(containers::contains_op{}, key);
  }
  [[nodiscard]] future<bool> contains_async(const K& key) const
    requires finds
  {
    return this->start(containers::contains_op{}, key);
  }

  /// Removes a key. Returns false if it was not there. In the segments, its bucket stays reserved
  /// for this key until hash_map::compact.
  bool erase(const K& key) const
    requires changes
  {
    return this->run(containers::erase_op{}, key);
  }
  [[nodiscard]] future<bool> erase_async(const K& key) const
    requires changes
  {
    return this->start(containers::erase_op{}, key);
  }

  /// Calls function(V& value, operand) on the key's value, at its home, or one-sided here on a
  /// copy. No other operation accesses the value meanwhile. A new key gets the operand as its value
  /// if that converts to V, else a V{} to which the function is applied. Returns true if the key is
  /// new. `function` must be one that far::rpc accepts: stateless or trivially copyable. It must
  /// not communicate. If it throws, the key is not added, and an existing value stays as the
  /// function left it; in the segments, it stays as it was before.
  ///
  ///     map.update_or_insert(word, 1, [](int& count, int more) { count += more; });
  template <class Operand, class F>
  bool update_or_insert(const K& key, const Operand& operand, F function) const
    requires changes
  {
    return this->run(containers::update_op<V, F>{{}, function}, key, operand);
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const Operand& operand,
                                                    F function) const
    requires changes
  {
    return this->start(containers::update_op<V, F>{{}, function}, key, operand);
  }
  /// The same, but a new key gets the value `first`.
  template <class Operand, class F>
  bool update_or_insert(const K& key, const V& first, const Operand& operand, F function) const
    requires changes
  {
    return this->run(containers::update_from_op<V, F>{{}, function}, key, first, operand);
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const V& first,
                                                    const Operand& operand, F function) const
    requires changes
  {
    return this->start(containers::update_from_op<V, F>{{}, function}, key, first, operand);
  }

  /// Adds `more` to the key's value by +=. A new key gets `more` as its value. Returns true if the
  /// key is new. One-sided, for an integer, float or double of 4 or 8 bytes, this is an atomic
  /// operation on the value, which many ranks can do at the same time; otherwise it is an update.
  ///
  ///     map.add_or_insert(word, 1);
  bool add_or_insert(const K& key, const V& more) const
    requires(changes && adds)
  {
    return this->run(containers::add_op{}, key, more);
  }
  [[nodiscard]] future<bool> add_or_insert_async(const K& key, const V& more) const
    requires(changes && adds)
  {
    return this->start(containers::add_op{}, key, more);
  }

  // -- many keys. If a function throws, the keys behind it in the same message are skipped.

  /// As insert, for each key with the value at the same index.
  std::vector<bool> insert_many(std::span<const K> keys, std::span<const V> values) const
    requires changes
  {
    return this->template run_many<bool>(containers::insert_op{}, keys, values);
  }
  std::vector<bool> insert_or_assign_many(std::span<const K> keys, std::span<const V> values) const
    requires changes
  {
    return this->template run_many<bool>(containers::assign_op{}, keys, values);
  }
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys) const
    requires finds
  {
    return this->template run_many<std::optional<V>>(containers::find_op{}, keys);
  }
  [[nodiscard]] std::vector<bool> contains_many(std::span<const K> keys) const
    requires finds
  {
    return this->template run_many<bool>(containers::contains_op{}, keys);
  }
  std::vector<bool> erase_many(std::span<const K> keys) const
    requires changes
  {
    return this->template run_many<bool>(containers::erase_op{}, keys);
  }
  /// One operand for each key, from any contiguous range.
  template <std::ranges::contiguous_range Operands, class F>
  std::vector<bool> update_or_insert_many(std::span<const K> keys, const Operands& operands,
                                          F function) const
    requires changes
  {
    using operand = std::ranges::range_value_t<Operands>;
    return this->template run_many<bool>(containers::update_op<V, F>{{}, function}, keys,
                                         std::span<const operand>(operands));
  }
  /// One operand for all keys. It must be trivially copyable.
  template <class Operand, class F>
  std::vector<bool> update_or_insert_all(std::span<const K> keys, const Operand& operand,
                                         F function) const
    requires changes
  {
    return this->template run_many<bool>(
        containers::update_same_op<V, F, Operand>{{}, function, operand}, keys);
  }
  std::vector<bool> add_or_insert_many(std::span<const K> keys, std::span<const V> more) const
    requires(changes && adds)
  {
    return this->template run_many<bool>(containers::add_op{}, keys, more);
  }
  std::vector<bool> add_or_insert_all(std::span<const K> keys, const V& more) const
    requires(changes && adds && std::is_trivially_copyable_v<V>)
  {
    return this->template run_many<bool>(containers::add_same_op<V>{{}, more}, keys);
  }

  // -- what policy::automatic has chosen, in all threads of this rank. It chooses for keys on other
  // machines; accesses to keys on this machine are one-sided and not counted (map_choices.hpp).

  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] model::choice_counts choices() const {
    return this->part_->choices == nullptr ? model::choice_counts()
                                           : this->part_->choices->counted();
  }
  /// A table for people: what each way costs, as observed or expected, and the counts of choices().
  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] std::string explain() const {
    if (this->part_->choices != nullptr) return this->part_->choices->explain();
    return "all ranks are on one machine: one-sided\n";
  }

  // -- this rank's part

  /// Returns the keys of this rank as a range of {key, value}, with references into the part. The
  /// range locks the part of a map that grows: while it lives, operations of other ranks on these
  /// keys wait, and so do all calls behind them. So its holder must not use the map or communicate;
  /// debug builds report this. In the segments nothing is locked: the caller makes sure that no
  /// rank uses the map meanwhile, for example by barriers.
  ///
  ///     for (auto [key, value] : map.local()) value *= 2;
  ///
  /// Checked by: hash_map_test.iterates_over_the_local_part
  [[nodiscard]] auto local() const { return containers::local_items<part_type>(*this->part_); }

  /// Calls f(const K&, V&) for each key of this rank, under the same rules as local().
  template <class F>
  void for_each_local(F&& f) const {
    for (const auto [key, value] : local()) f(key, value);
  }

  /// The number of keys of this rank. In the segments, it looks at every bucket of this rank.
  [[nodiscard]] std::size_t local_size() const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared()) return containers::count_ready(this->part_->shared.here);
    }
    const typename part_type::lock lock(*this->part_);
    return this->part_->table.size();
  }

  /// Repairs this rank's part after rank_failed, so that it can be saved: unlocks the buckets that
  /// `rank` had locked when it died. A key that it was adding is removed. A key whose value it was
  /// changing stays, and is returned, because only a value that is a word is certain to be whole.
  /// For a map that grows, always returns nothing.
  ///
  ///     } catch (const far::rank_failed& failure) {
  ///       for (auto key : map.release(failure.rank())) doubtful.insert(key);
  ///       for (auto [key, value] : map.local()) if (!doubtful.contains(key)) save(key, value);
  ///
  /// Ranks that have not noticed the failure may still be changing other buckets.
  /// Cost: a look at every bucket of this rank. Does not communicate.
  /// Checked by: killed_map_user_test.leaves_what_can_be_put_right
  std::vector<K> release(int rank) const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared()) {
        return containers::unlock_of_dead_rank(this->part_->shared.here, rank);
      }
    }
    return {};
  }

  /// Reserves space in this rank's part for its share of `count` keys of all ranks, so that it does
  /// not grow before that. Not collective; usually every rank calls it.
  /// Errors: bad_argument for a map in the segments with a smaller capacity.
  void reserve(std::size_t count) const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared())
        return containers::check_capacity(count, this->part_->shared.capacity);
    }
    const std::size_t share = count / static_cast<std::size_t>(this->world_.size());
    const typename part_type::lock lock(*this->part_);
    this->part_->table.reserve(share + share / 16);  // shares are not quite equal
  }

 protected:
  friend class hash_map<K, V, Hash>;

  using map_ways::map_ways;
};

}  // namespace far
