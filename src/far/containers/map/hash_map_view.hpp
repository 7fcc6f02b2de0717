#pragma once
// The operations of far::hash_map, seen from one thread. See hash_map.hpp for the map itself.

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

/// One thread's view of a hash_map: cheap to copy, valid while the map lives. Which operations it
/// has depends on what the ranks have promised (hash_map::writing, hash_map::reading). What each
/// promises is the same in all its forms:
///
///   op(key, ...)         waits for the result
///   op_async(key, ...)   a future of it; keys and operands are copied before it returns
///   op_many(keys, ...)   results in the order of the keys, of which there may be millions. By
///                        calls: few large messages to each owner, several under way at a time.
///                        One-sided: up to 128 operations under way
///
/// Completion: the result is there when the operation has taken place.
/// Linearizes at: the owner's holding the lock of its part; in the segments where a bucket is given
///   back, of finds where they read it; each key of op_many by itself.
/// Ordering: none between asynchronous operations, or the keys of one op_many, equal ones included.
/// Progress: by calls the owner's (see far::rpc); none is needed for keys of this rank, nor
///   one-sided.
/// Threads: belongs to the thread of its world; hash_map::on gives other threads theirs.
/// Cost: by calls: of keys of this rank a lock and a search, of others one far::rpc. One-sided,
///   for a key in its first bucket: the formulas of map_costs.hpp, which `far model explain` and
///   docs/model.md show. A further bucket that is looked at costs an A_cas, of erase an R, of find
///   2 A_fao, and sometimes an R.
/// Errors: rank_failed; out_of_memory where the owner has none left, or no bucket; what functions
///   throw.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.batches_equal_single_operations
template <class K, class V, class Hash, containers::promised P = containers::promised::anything>
class hash_map_view : protected containers::map_ways<K, V, Hash, P> {
  using map_ways = containers::map_ways<K, V, Hash, P>;
  static_assert(!std::is_same_v<K, bool>, "an array of two does it");
  static constexpr bool changes = P != containers::promised::only_looks;
  static constexpr bool adds = requires(V& value, const V& more) { value += more; };
  static constexpr bool finds = P != containers::promised::only_changes;

 public:
  using key_type = K;
  using mapped_type = V;
  using part_type = containers::map_part<K, V, Hash>;

  /// The view of another policy. Views of both may be used at the same time.
  /// Errors: bad_argument for policy::one_sided, of a map that is not in the segments.
  /// Checked by: hash_map_shared_test.one_sided_and_calls_mix
  [[nodiscard]] hash_map_view with(policy how) const {
    if (how == policy::one_sided && !this->part_->is_shared()) containers::throw_not_shared();
    return hash_map_view(this->view_, *this->part_, this->id_, how);
  }

  /// The rank that keeps `key`.
  [[nodiscard]] int owner(const K& key) const noexcept {
    return this->owner_of(this->hash_of(key));
  }

  // -- one key

  /// Adds a key. False, and nothing changes, if it is there already.
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

  /// Adds a key or replaces its value. True if the key is new.
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

  /// A copy of the key's value, or nothing.
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

  /// Removes a key. False if it was not there. In the segments its bucket stays this key's, until
  /// hash_map::compact.
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

  /// Calls function(V& value, operand) on the key's value, at its owner, or one-sided here on a
  /// copy, while nobody else reaches the value. A new key gets the operand as its value, if that
  /// converts to V, else what function makes of a V{}. True if the key is new. `function` is one
  /// that far::rpc takes: stateless, or trivially copyable. It may not communicate. If it throws,
  /// the value stays as it left it, in the segments as it was, and the key is not added.
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

  /// Adds to the value of a key, by +=; a new key gets `more` as its value. True if the key is new.
  /// One-sided to an integer, float or double of 4 or 8 bytes it is an atomic operation on the
  /// value, which many ranks do at the same time; else an update.
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

  // -- many keys. Should a function throw, the keys behind it in the same message are left out.

  /// As insert, on each key with the value at its place.
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
  /// An operand for each key: any contiguous range of them.
  template <std::ranges::contiguous_range Operands, class F>
  std::vector<bool> update_or_insert_many(std::span<const K> keys, const Operands& operands,
                                          F function) const
    requires changes
  {
    using operand = std::ranges::range_value_t<Operands>;
    return this->template run_many<bool>(containers::update_op<V, F>{{}, function}, keys,
                                         std::span<const operand>(operands));
  }
  /// One operand, which is trivially copyable, for all keys.
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

  // -- what policy::automatic has chosen, for keys of other machines; those of this one are used
  // one-sided, and not counted. Of this rank and all its threads.

  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] model::choice_counts choices() const {
    return this->part_->choices == nullptr ? model::choice_counts()
                                           : this->part_->choices->counted();
  }
  /// A table for people: what each way costs, as observed or expected, and those counts.
  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] std::string explain() const {
    if (this->part_->choices != nullptr) return this->part_->choices->explain();
    return "all ranks are on one machine: one-sided\n";
  }

  // -- this rank's part

  /// The keys of this rank, as a range of {key, value} with references into the part. Operations
  /// of others on these keys wait while it lives, and so do all calls that come after one; so
  /// whoever holds it neither uses the map nor communicates, which debug builds report. In the
  /// segments nobody waits: there the caller sees to it that no rank uses the map meanwhile, by
  /// barriers say.
  ///
  ///     for (auto [key, value] : map.local()) value *= 2;
  ///
  /// Checked by: hash_map_test.iterates_over_the_local_part
  [[nodiscard]] auto local() const { return containers::local_items<part_type>(*this->part_); }

  /// Calls f(const K&, V&) on each key of this rank, under the same rule.
  template <class F>
  void for_each_local(F&& f) const {
    for (const auto [key, value] : local()) f(key, value);
  }

  /// In the segments: by a look at every bucket of this rank.
  [[nodiscard]] std::size_t local_size() const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared()) return containers::count_ready(this->part_->shared.here);
    }
    const typename part_type::lock lock(*this->part_);
    return this->part_->table.size();
  }

  /// For who saves this rank's part after rank_failed: puts right what `rank` was at when it died.
  /// A key that it was adding is not there; one whose value it was changing is, and is returned,
  /// for its value is whole only if it is a word. Of a map that grows there is never anything.
  ///
  ///     } catch (const far::rank_failed& failure) {
  ///       for (auto key : map.release(failure.rank())) doubtful.insert(key);
  ///       for (auto [key, value] : map.local()) if (!doubtful.contains(key)) save(key, value);
  ///
  /// Ranks that have not heard of the failure may be at other buckets still.
  /// Cost: a look at every bucket of this rank. Does not communicate.
  /// Checked by: killed_map_user_test.leaves_what_can_be_put_right
  std::vector<K> release(int rank) const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared()) {
        return containers::release_taken(this->part_->shared.here, rank);
      }
    }
    return {};
  }

  /// Makes room in this rank's part for its share of `count` keys in all, so that it need not
  /// grow before. Not collective; usually every rank calls it.
  /// Errors: bad_argument for a map in the segments that was made for fewer.
  void reserve(std::size_t count) const {
    if constexpr (part_type::may_be_shared) {
      if (this->part_->is_shared())
        return containers::check_capacity(count, this->part_->shared.capacity);
    }
    const std::size_t share = count / static_cast<std::size_t>(this->view_.size());
    const typename part_type::lock lock(*this->part_);
    this->part_->table.reserve(share + share / 16);  // shares are not quite equal
  }

 protected:
  friend class hash_map<K, V, Hash>;

  using map_ways::map_ways;
};

}  // namespace far
