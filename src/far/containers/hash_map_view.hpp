#pragma once
// The operations of far::hash_map, seen from one thread. See hash_map.hpp for the map itself.

#include <algorithm>
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
#include "far/containers/map_part.hpp"
#include "far/rma/promise.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far {

template <class K, class V, class Hash>
class hash_map;

/// One thread's view of a hash_map: cheap to copy, valid while the map lives. What each operation
/// promises is the same in all its forms:
///
///   op(key, ...)         waits for the result
///   op_async(key, ...)   a future of it; keys and operands are copied before it returns
///   op_many(keys, ...)   results in the order of the keys, of which there may be millions: few
///                        large messages to each owner, several under way at a time
///
/// Completion: the result is there when the operation has taken place.
/// Linearizes at: the owner's holding the lock of its part; each key of op_many by itself.
/// Ordering: none between asynchronous operations, or the keys of one op_many, equal ones included.
/// Progress: the owner's (see far::rpc); none is needed for keys of this rank.
/// Threads: belongs to the thread of its world; hash_map::on gives other threads theirs.
/// Cost: keys of this rank: a lock and a search, no message. Others: one far::rpc.
/// Errors: rank_failed; out_of_memory where the owner has none left; what functions throw.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.batches_equal_single_operations
template <class K, class V, class Hash>
class hash_map_view {
  static_assert(!std::is_same_v<K, bool>, "an array of two does it");

 public:
  using key_type = K;
  using mapped_type = V;
  using part_type = containers::map_part<K, V, Hash>;

  /// The rank that keeps `key`.
  [[nodiscard]] int owner(const K& key) const noexcept { return owner_of(hash_of(key)); }

  // -- one key

  /// Adds a key. False, and nothing changes, if it is there already.
  bool insert(const K& key, const V& value) const { return insert_async(key, value).get(); }
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value) const {
    return start(containers::insert_op{}, key, value);
  }

  /// Adds a key or replaces its value. True if the key is new.
  bool insert_or_assign(const K& key, const V& value) const {
    return insert_or_assign_async(key, value).get();
  }
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value) const {
    return start(containers::assign_op{}, key, value);
  }

  /// A copy of the key's value, or nothing.
  [[nodiscard]] std::optional<V> find(const K& key) const { return find_async(key).get(); }
  [[nodiscard]] future<std::optional<V>> find_async(const K& key) const {
    return start(containers::find_op{}, key);
  }

  [[nodiscard]] bool contains(const K& key) const { return contains_async(key).get(); }
  [[nodiscard]] future<bool> contains_async(const K& key) const {
    return start(containers::contains_op{}, key);
  }

  /// Removes a key. False if it was not there.
  bool erase(const K& key) const { return erase_async(key).get(); }
  [[nodiscard]] future<bool> erase_async(const K& key) const {
    return start(containers::erase_op{}, key);
  }

  /// Calls function(V& value, operand) on the key's value, at its owner. A new key gets the
  /// operand as its value, if that converts to V, else what function makes of a V{}. True if the
  /// key is new. `function` is one that far::rpc takes: stateless, or trivially copyable. It may
  /// not communicate. If it throws, the value stays as it left it.
  ///
  ///     map.update_or_insert(word, 1, [](int& count, int more) { count += more; });
  template <class Operand, class F>
  bool update_or_insert(const K& key, const Operand& operand, F function) const {
    return update_or_insert_async(key, operand, function).get();
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const Operand& operand,
                                                    F function) const {
    return start(containers::update_op<V, F>{function}, key, operand);
  }
  /// The same, but a new key gets the value `first`.
  template <class Operand, class F>
  bool update_or_insert(const K& key, const V& first, const Operand& operand, F function) const {
    return update_or_insert_async(key, first, operand, function).get();
  }
  template <class Operand, class F>
  [[nodiscard]] future<bool> update_or_insert_async(const K& key, const V& first,
                                                    const Operand& operand, F function) const {
    return start(containers::update_from_op<V, F>{function}, key, first, operand);
  }

  // -- many keys. Should a function throw, the keys behind it in the same message are left out.

  /// As insert, on each key with the value at its place.
  std::vector<bool> insert_many(std::span<const K> keys, std::span<const V> values) const {
    return run_many<bool>(containers::insert_op{}, keys, values);
  }
  std::vector<bool> insert_or_assign_many(std::span<const K> keys,
                                          std::span<const V> values) const {
    return run_many<bool>(containers::assign_op{}, keys, values);
  }
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys) const {
    return run_many<std::optional<V>>(containers::find_op{}, keys);
  }
  [[nodiscard]] std::vector<bool> contains_many(std::span<const K> keys) const {
    return run_many<bool>(containers::contains_op{}, keys);
  }
  std::vector<bool> erase_many(std::span<const K> keys) const {
    return run_many<bool>(containers::erase_op{}, keys);
  }
  /// An operand for each key: any contiguous range of them.
  template <std::ranges::contiguous_range Operands, class F>
  std::vector<bool> update_or_insert_many(std::span<const K> keys, const Operands& operands,
                                          F function) const {
    using operand = std::ranges::range_value_t<Operands>;
    return run_many<bool>(containers::update_op<V, F>{function}, keys,
                          std::span<const operand>(operands));
  }
  /// One operand, which is trivially copyable, for all keys.
  template <class Operand, class F>
  std::vector<bool> update_or_insert_all(std::span<const K> keys, const Operand& operand,
                                         F function) const {
    return run_many<bool>(containers::update_same_op<V, F, Operand>{function, operand}, keys);
  }

  // -- this rank's part

  /// The keys of this rank, as a range of {key, value} with references into the part. Operations
  /// of others on these keys wait while it lives, and so do all calls that come after one; so
  /// whoever holds it neither uses the map nor communicates, which debug builds report.
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

  [[nodiscard]] std::size_t local_size() const {
    const typename part_type::lock lock(*part_);
    return part_->table.size();
  }

  /// Makes room in this rank's part for its share of `count` keys in all, so that it need not
  /// grow before. Not collective; usually every rank calls it.
  void reserve(std::size_t count) const {
    const std::size_t share = count / static_cast<std::size_t>(view_.size());
    const typename part_type::lock lock(*part_);
    part_->table.reserve(share + share / 16);  // shares are not quite equal
  }

 private:
  friend class hash_map<K, V, Hash>;

  hash_map_view(const world& view, part_type& part, containers::object_id id) noexcept
      : view_(view), part_(&part), id_(id) {}

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

  template <class Op, class... Operands>
  auto start(Op op, const K& key, const Operands&... operands) const {
    const std::uint64_t hash = hash_of(key);
    const int rank = owner_of(hash);
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

  template <class R, class Op, class... Operands>
  results<R> run_many(Op op, std::span<const K> keys, std::span<const Operands>... operands) const;

  world view_;
  part_type* part_;
  containers::object_id id_;
};

template <class K, class V, class Hash>
template <class R, class Op, class... Operands>
auto hash_map_view<K, V, Hash>::run_many(Op op, std::span<const K> keys,
                                         std::span<const Operands>... operands) const
    -> results<R> {
  (containers::check_lengths(keys.size(), operands.size()), ...);
  // Shared with the continuations, which may outlive an exception here.
  const auto all = std::make_shared<results<R>>(keys.size());
  const std::size_t room = view_.fabric().max_payload();
  const std::size_t most_count = containers::most_results<R>(room);
  const std::size_t most_bytes = room - sizeof(Op) - 64;  // id and lengths
  const std::size_t block =
      std::max<std::size_t>(65536, 1024u * static_cast<unsigned>(view_.size()));
  containers::owner_groups groups(view_.size());
  containers::calls_under_way calls;

  for (std::size_t begin = 0; begin < keys.size(); begin += block) {
    const std::size_t count = std::min(block, keys.size() - begin);
    const std::span<const K> block_keys = keys.subspan(begin, count);
    groups.sort(count, [&](std::size_t i) { return owner(block_keys[i]); });
    for (int step = 1; step < view_.size(); ++step) {
      const int rank = (view_.rank() + step) % view_.size();
      const auto bytes_of = [&](std::uint32_t i) {
        return wire::bytes_of(block_keys[i], operands[begin + i]...);
      };
      const auto send = [&](std::span<const std::uint32_t> chunk) {
        detail::call_options options;
        options.reply_bytes = containers::reply_bytes_of<R>(chunk.size(), room);
        auto call = detail::start_call(
            view_, rank, options, containers::remote_many<part_type, Op>{op}, id_,
            containers::gathered<K>{block_keys, chunk},
            containers::gathered<Operands>{operands.subspan(begin, count), chunk}...);
        calls.add(call.then(
            [all, begin, places = std::vector(chunk.begin(), chunk.end())](results<R> part) {
              containers::check_results(places.size(), part.size());
              for (std::size_t i = 0; i < places.size(); ++i) {
                (*all)[begin + places[i]] = std::move(part[i]);
              }
            }));
      };
      containers::for_each_chunk(groups.of(rank), most_count, most_bytes, bytes_of, send);
    }
    // This rank's keys while the others work.
    const std::span<const std::uint32_t> mine = groups.of(view_.rank());
    calls.guard([&] {
      containers::apply_many(
          *part_, op, mine.size(), [&](std::size_t i) -> const K& { return block_keys[mine[i]]; },
          [&](std::size_t i, R result) { (*all)[begin + mine[i]] = std::move(result); },
          [&](std::size_t i) -> const Operands& { return operands[begin + mine[i]]; }...);
    });
  }
  calls.wait();
  return std::move(*all);
}

}  // namespace far
