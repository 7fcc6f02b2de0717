#pragma once
// The operations of far::hash_map, seen from one thread. See hash_map.hpp for the map itself.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/hash.hpp"
#include "far/containers/batch.hpp"
#include "far/containers/local_items.hpp"
#include "far/containers/map_batch.hpp"
#include "far/containers/map_choices.hpp"
#include "far/containers/map_operations.hpp"
#include "far/containers/map_part.hpp"
#include "far/containers/policy.hpp"
#include "far/containers/table_user.hpp"
#include "far/rma/promise.hpp"
#include "far/rpc/call.hpp"
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
///   for a key in its first bucket: insert A_cas + W + A_fao, find A_fao + R + A_fao, assign
///   2 A_cas + 2 R + W + A_fao, update one R more, erase 2 R + A_cas + A_fao; a further bucket that
///   is looked at costs an A_cas, of erase an R, of find 2 A_fao, and sometimes an R.
/// Errors: rank_failed; out_of_memory where the owner has none left, or no bucket; what functions
///   throw.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.batches_equal_single_operations
template <class K, class V, class Hash, containers::promised P = containers::promised::anything>
class hash_map_view {
  static_assert(!std::is_same_v<K, bool>, "an array of two does it");
  static constexpr bool changes = P != containers::promised::only_finds;
  static constexpr bool finds = P != containers::promised::only_changes;

 public:
  using key_type = K;
  using mapped_type = V;
  using part_type = containers::map_part<K, V, Hash>;

  /// The view of another policy. Views of both may be used at the same time.
  /// Errors: bad_argument for policy::one_sided, of a map that is not in the segments.
  /// Checked by: hash_map_shared_test.one_sided_and_calls_mix
  [[nodiscard]] hash_map_view with(policy how) const {
    if (how == policy::one_sided && !part_->is_shared()) containers::throw_not_shared();
    return hash_map_view(view_, *part_, id_, how);
  }

  /// The rank that keeps `key`.
  [[nodiscard]] int owner(const K& key) const noexcept { return owner_of(hash_of(key)); }

  // -- one key

  /// Adds a key. False, and nothing changes, if it is there already.
  bool insert(const K& key, const V& value) const
    requires changes
  {
    return run(containers::insert_op{}, key, value);
  }
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value) const
    requires changes
  {
    return start(containers::insert_op{}, key, value);
  }

  /// Adds a key or replaces its value. True if the key is new.
  bool insert_or_assign(const K& key, const V& value) const
    requires changes
  {
    return run(containers::assign_op{}, key, value);
  }
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value) const
    requires changes
  {
    return start(containers::assign_op{}, key, value);
  }

  /// A copy of the key's value, or nothing.
  [[nodiscard, gnu::always_inline]] inline std::optional<V> find(const K& key) const
    requires finds
  {
    return run(containers::find_op{}, key);
  }
  [[nodiscard]] future<std::optional<V>> find_async(const K& key) const
    requires finds
  {
    return start(containers::find_op{}, key);
  }

  [[nodiscard]] bool contains(const K& key) const
    requires finds
  {
    return run(containers::contains_op{}, key);
  }
  [[nodiscard]] future<bool> contains_async(const K& key) const
    requires finds
  {
    return start(containers::contains_op{}, key);
  }

  /// Removes a key. False if it was not there. In the segments its bucket stays this key's, until
  /// hash_map::compact.
  bool erase(const K& key) const
    requires changes
  {
    return run(containers::erase_op{}, key);
  }
  [[nodiscard]] future<bool> erase_async(const K& key) const
    requires changes
  {
    return start(containers::erase_op{}, key);
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
    return run(containers::update_op<V, F>{{}, function}, key, operand);
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const Operand& operand,
                                                    F function) const
    requires changes
  {
    return start(containers::update_op<V, F>{{}, function}, key, operand);
  }
  /// The same, but a new key gets the value `first`.
  template <class Operand, class F>
  bool update_or_insert(const K& key, const V& first, const Operand& operand, F function) const
    requires changes
  {
    return run(containers::update_from_op<V, F>{{}, function}, key, first, operand);
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const V& first,
                                                    const Operand& operand, F function) const
    requires changes
  {
    return start(containers::update_from_op<V, F>{{}, function}, key, first, operand);
  }

  // -- many keys. Should a function throw, the keys behind it in the same message are left out.

  /// As insert, on each key with the value at its place.
  std::vector<bool> insert_many(std::span<const K> keys, std::span<const V> values) const
    requires changes
  {
    return run_many<bool>(containers::insert_op{}, keys, values);
  }
  std::vector<bool> insert_or_assign_many(std::span<const K> keys, std::span<const V> values) const
    requires changes
  {
    return run_many<bool>(containers::assign_op{}, keys, values);
  }
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys) const
    requires finds
  {
    return run_many<std::optional<V>>(containers::find_op{}, keys);
  }
  [[nodiscard]] std::vector<bool> contains_many(std::span<const K> keys) const
    requires finds
  {
    return run_many<bool>(containers::contains_op{}, keys);
  }
  std::vector<bool> erase_many(std::span<const K> keys) const
    requires changes
  {
    return run_many<bool>(containers::erase_op{}, keys);
  }
  /// An operand for each key: any contiguous range of them.
  template <std::ranges::contiguous_range Operands, class F>
  std::vector<bool> update_or_insert_many(std::span<const K> keys, const Operands& operands,
                                          F function) const
    requires changes
  {
    using operand = std::ranges::range_value_t<Operands>;
    return run_many<bool>(containers::update_op<V, F>{{}, function}, keys,
                          std::span<const operand>(operands));
  }
  /// One operand, which is trivially copyable, for all keys.
  template <class Operand, class F>
  std::vector<bool> update_or_insert_all(std::span<const K> keys, const Operand& operand,
                                         F function) const
    requires changes
  {
    return run_many<bool>(containers::update_same_op<V, F, Operand>{{}, function, operand}, keys);
  }

  // -- what policy::automatic has chosen, for keys whose buckets plain instructions do not reach;
  // those that they reach are used one-sided, and not counted. Of this rank and all its threads.

  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] model::choice_counts choices() const {
    return part_->choices == nullptr ? model::choice_counts() : part_->choices->counted();
  }
  /// A table for people: what each way costs, as observed or expected, and those counts.
  /// Checked by: hash_map_automatic_test.counts_what_it_chooses
  [[nodiscard]] std::string explain() const {
    if (part_->choices != nullptr) return part_->choices->explain();
    return "plain instructions reach all buckets: one-sided\n";
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
  [[nodiscard]] auto local() const { return containers::local_items<part_type>(*part_); }

  /// Calls f(const K&, V&) on each key of this rank, under the same rule.
  template <class F>
  void for_each_local(F&& f) const {
    for (const auto [key, value] : local()) f(key, value);
  }

  /// In the segments: by a look at every bucket of this rank.
  [[nodiscard]] std::size_t local_size() const {
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) return containers::count_ready(part_->shared.here);
    }
    const typename part_type::lock lock(*part_);
    return part_->table.size();
  }

  /// Makes room in this rank's part for its share of `count` keys in all, so that it need not
  /// grow before. Not collective; usually every rank calls it.
  /// Errors: bad_argument for a map in the segments that was made for fewer.
  void reserve(std::size_t count) const {
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) return containers::check_capacity(count, part_->shared.capacity);
    }
    const std::size_t share = count / static_cast<std::size_t>(view_.size());
    const typename part_type::lock lock(*part_);
    part_->table.reserve(share + share / 16);  // shares are not quite equal
  }

 protected:
  friend class hash_map<K, V, Hash>;

  hash_map_view(const world& view, part_type& part, containers::object_id id, policy how) noexcept
      : view_(view), part_(&part), id_(id), how_(how) {}

 private:
  template <class R>
  using results = std::conditional_t<std::is_same_v<R, bool>, std::vector<bool>, std::vector<R>>;

  [[nodiscard]] static std::uint64_t hash_of(const K& key) noexcept {
    return containers::placing_hash<Hash>(key);
  }
  [[nodiscard]] int owner_of(std::uint64_t hash) const noexcept {
    // The high bits: the product's upper half is uniform in [0, size).
    __extension__ using wide = unsigned __int128;
    return static_cast<int>((static_cast<wide>(hash) * static_cast<unsigned>(view_.size())) >> 64);
  }
  [[nodiscard]] auto user() const noexcept {
    return containers::table_user<K, V, P>(view_, part_->shared);
  }
  /// Where buckets that plain instructions reach are used so.
  [[nodiscard]] bool uses_reach(int owner) const noexcept {
    return how_ != policy::rpc || owner == view_.rank();
  }
  [[nodiscard]] bool is_one_sided(int owner) const noexcept {
    return how_ == policy::one_sided || owner == view_.rank();
  }
  void check_promise() const {
    if constexpr (base::debug_checks) part_->check_promise(P, view_.rank());
  }

  // Inlined, down to where the buckets lie in reach; the rest is a function of its own.
  template <class Op, class... Operands>
  [[gnu::always_inline]] inline auto run(const Op& op, const K& key,
                                         const Operands&... operands) const {
    if constexpr (part_type::may_be_shared) {
      const std::uint64_t hash = hash_of(key);
      const int rank = owner_of(hash);
      if (part_->is_shared() && uses_reach(rank)) [[likely]] {
        if (std::byte* const first = user().place_of(rank)) [[likely]] {
          check_promise();
          return user().run_directly(op, first, rank, key, hash, operands...);
        }
      }
    }
    return in_parts(run_otherwise<Op, by_value<K>, by_value<Operands>...>(op, key, operands...));
  }
  // What a function that is not inlined returns would be copied whole, and with it what else the
  // caller's variable gets.
  template <class R>
  [[gnu::always_inline]] static inline R in_parts(const R& whole) {
    return whole;
  }
  [[gnu::always_inline]] static inline std::optional<V> in_parts(const std::optional<V>& whole) {
    if (!whole) return std::nullopt;
    return *whole;
  }
  // Small ones as values, so that the caller's stay in registers.
  template <class T>
  using by_value =
      std::conditional_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 16, const T, const T&>;
  template <class Op, class Key, class... Operands>
  [[gnu::noinline]] auto run_otherwise(const Op& op, Key key, Operands... operands) const {
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) {
        check_promise();
        const std::uint64_t hash = hash_of(key);
        const int rank = owner_of(hash);
        const auto here = [&] { return user().run(op, rank, key, hash, operands...); };
        const auto there = [&] {
          return user().template call<part_type>(op, rank, id_, key, hash, operands...);
        };
        if (is_one_sided(rank)) return here();
        if (how_ == policy::rpc) return there();
        if (part_->choices == nullptr) return here();
        const auto begun = part_->choices->begin(view_, rank, Op::kind, P);
        auto result = begun.by_call() ? there() : here();
        part_->choices->end(view_, begun);
        return result;
      }
    }
    return start(op, key, operands...).get();
  }

  template <class Op, class... Operands>
  auto start(Op op, const K& key, const Operands&... operands) const {
    check_promise();
    const std::uint64_t hash = hash_of(key);
    const int rank = owner_of(hash);
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) return start_shared(op, rank, key, hash, operands...);
    }
    using result = decltype(containers::apply_one(*part_, op, key, hash, operands...));
    if (rank == view_.rank()) {
      try {
        return future<result>(std::in_place, view_.context(),
                              containers::apply_one(*part_, op, key, hash, operands...));
      } catch (...) {
        return failed_future<result>(view_, std::current_exception());
      }
    }
    detail::call_options options;
    options.reply_bytes = containers::reply_bytes_of<result>(1, view_.fabric().max_payload());
    return detail::start_call(view_, rank, options, containers::remote_one<part_type, Op>{op}, id_,
                              key, operands...);
  }

  template <class Op, class... Operands>
  auto start_shared(const Op& op, int rank, const K& key, std::uint64_t hash,
                    const Operands&... operands) const {
    const auto here = [&] { return user().start(op, rank, key, hash, operands...); };
    const auto there = [&] {
      return user().template call_async<part_type>(op, rank, id_, key, hash, operands...);
    };
    if (is_one_sided(rank)) return here();
    if (how_ == policy::rpc) return there();
    if (part_->choices == nullptr || user().place_of(rank) != nullptr) return here();
    const auto begun = part_->choices->begin_async(view_, rank, Op::kind, P);
    auto started = begun.by_call() ? there() : here();
    return std::move(started).then([view = view_, choices = part_->choices, begun](auto result) {
      choices->end(view, begun);
      return result;
    });
  }

  template <class R, class Op, class... Operands>
  results<R> run_many(Op op, std::span<const K> keys, std::span<const Operands>... operands) const {
    check_promise();
    const auto home_of = [this](const K& key) { return owner(key); };
    // Shared with the continuations, which may outlive an exception here.
    const auto all = std::make_shared<results<R>>(keys.size());
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) {
        (containers::check_lengths(keys.size(), operands.size()), ...);
        const auto store = [all](std::size_t i, R result) { (*all)[i] = std::move(result); };
        const auto here = [&] { user().run_each(op, keys, hash_of, home_of, store, operands...); };
        const auto there = [&] {
          user().template call_many<part_type>(op, id_, keys, hash_of, home_of, store,
                                               how_ == policy::automatic, operands...);
        };
        if (how_ == policy::rpc) {
          there();
        } else if (how_ == policy::one_sided || part_->choices == nullptr || keys.empty()) {
          here();
        } else {
          const auto begun = part_->choices->begin_batch(view_, keys.size(), Op::kind, P);
          begun.by_call() ? there() : here();
          part_->choices->end(view_, begun);
        }
        return std::move(*all);
      }
    }
    containers::run_batch<R, results<R>>(
        view_, id_, containers::remote_many<part_type, Op>{op}, keys, home_of,
        [&](std::size_t begin, std::span<const std::uint32_t> mine) {
          containers::apply_many(
              *part_, op, mine.size(),
              [&](std::size_t i) -> const K& { return keys[begin + mine[i]]; },
              [&](std::size_t i, R result) { (*all)[begin + mine[i]] = std::move(result); },
              [&](std::size_t i) -> const Operands& { return operands[begin + mine[i]]; }...);
        },
        [all](std::size_t i, R result, int) { (*all)[i] = std::move(result); }, operands...);
    return std::move(*all);
  }

  world view_;
  part_type* part_;
  containers::object_id id_;
  policy how_;
};

}  // namespace far
