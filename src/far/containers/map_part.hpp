#pragma once
// The part of a hash_map that one rank owns, and what can be done with a key of it. Each
// operation is written once: the owner runs it on the spot, others send it, alone or in batches.
//
// Threads: a mutex per part. Holders make no fabric call, so it is never held for long, but for
// local iteration; a handler that comes meanwhile waits for its end.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/check.hpp"
#include "far/containers/directory.hpp"
#include "far/containers/local_table.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far::containers {

template <class K, class V, class Hash>
struct map_part {
  using key_type = K;
  using hash_type = Hash;
  using table_type = local_table<K, V, Hash>;

  /// Holds the part. In debug builds, holding it twice in one thread is reported.
  class lock {
   public:
    explicit lock(map_part& part) : part_(&part) {
      FAR_DCHECK(part.holder != std::this_thread::get_id(),
                 "a thread that iterates over the local part of a hash_map must not use the map, "
                 "and must not communicate");
      part.mutex.lock();
      if constexpr (base::debug_checks) part.holder = std::this_thread::get_id();
    }
    ~lock() {
      if constexpr (base::debug_checks) part_->holder = std::thread::id();
      part_->mutex.unlock();
    }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;

   private:
    map_part* part_;
  };

  std::mutex mutex;
  std::atomic<std::thread::id> holder;  // debug builds only
  table_type table;                     // under the mutex
};

// -- operations: apply(table, key, hash, operands...) under the part's lock

struct insert_op {
  template <class Table, class K, class V>
  bool apply(Table& table, K&& key, std::uint64_t hash, V&& value) const {
    return table
        .find_or_insert(std::forward<K>(key), hash, [&]() -> V&& { return std::forward<V>(value); })
        .second;
  }
};

struct assign_op {
  template <class Table, class K, class V>
  bool apply(Table& table, K&& key, std::uint64_t hash, V&& value) const {
    const auto [at, fresh] = table.find_or_insert(std::forward<K>(key), hash,
                                                  [&]() -> V&& { return std::forward<V>(value); });
    if (!fresh) *at = std::forward<V>(value);
    return fresh;
  }
};

struct find_op {
  template <class Table, class K>
  auto apply(Table& table, const K& key, std::uint64_t hash) const {
    const auto* at = table.find(key, hash);
    using value = std::remove_cvref_t<decltype(*at)>;
    return at == nullptr ? std::optional<value>() : std::optional<value>(*at);
  }
};

struct contains_op {
  template <class Table, class K>
  bool apply(Table& table, const K& key, std::uint64_t hash) const {
    return table.find(key, hash) != nullptr;
  }
};

struct erase_op {
  template <class Table, class K>
  bool apply(Table& table, const K& key, std::uint64_t hash) const {
    return table.erase(key, hash);
  }
};

/// function(value, operand) on the value that is there. A new key's value is the operand, where
/// that converts to V; else function(V{}, operand) makes it. True if the key is new.
template <class V, class Table, class K, class F, class Operand>
bool update(Table& table, K&& key, std::uint64_t hash, F& function, Operand&& operand) {
  const auto [at, fresh] = table.find_or_insert(std::forward<K>(key), hash, [&] {
    if constexpr (std::is_convertible_v<Operand, V>) {
      return static_cast<V>(std::forward<Operand>(operand));
    } else {
      V value{};
      function(value, std::forward<Operand>(operand));
      return value;
    }
  });
  if (!fresh) function(*at, std::forward<Operand>(operand));
  return fresh;
}

template <class V, class F>
struct update_op {
  [[no_unique_address]] F function;

  template <class Table, class K, class Operand>
  bool apply(Table& table, K&& key, std::uint64_t hash, Operand&& operand) {
    return update<V>(table, std::forward<K>(key), hash, function, std::forward<Operand>(operand));
  }
};

/// The same with the first value given.
template <class V, class F>
struct update_from_op {
  [[no_unique_address]] F function;

  template <class Table, class K, class Operand>
  bool apply(Table& table, K&& key, std::uint64_t hash, V first, Operand&& operand) {
    const auto [at, fresh] =
        table.find_or_insert(std::forward<K>(key), hash, [&] { return std::move(first); });
    if (!fresh) function(*at, std::forward<Operand>(operand));
    return fresh;
  }
};

/// The same with one operand for all keys, which travels with the function.
template <class V, class F, class Operand>
struct update_same_op {
  [[no_unique_address]] F function;
  Operand operand;

  template <class Table, class K>
  bool apply(Table& table, K&& key, std::uint64_t hash) {
    return update<V>(table, std::forward<K>(key), hash, function, std::as_const(operand));
  }
};

// -- ways to run them

template <class Part, class Op, class K, class... Operands>
decltype(auto) apply_one(Part& part, Op& op, K&& key, std::uint64_t hash, Operands&&... operands) {
  const typename Part::lock lock(part);
  return op.apply(part.table, std::forward<K>(key), hash, std::forward<Operands>(operands)...);
}

/// Runs op on keys 0 .. count-1: key_at(i) and operand_at(i)... give references to hand on, and
/// result(i, value) gets what comes out. Memory is asked for some keys ahead.
template <class Part, class Op, class KeyAt, class Result, class... OperandAt>
void apply_many(Part& part, Op& op, std::size_t count, KeyAt key_at, Result result,
                OperandAt... operand_at) {
  constexpr std::size_t ahead = 16;
  std::array<std::uint64_t, ahead> hashes;
  const typename Part::lock lock(part);
  const auto prepare = [&](std::size_t i) {
    const typename Part::key_type& key = key_at(i);
    hashes[i % ahead] = placing_hash<typename Part::hash_type>(key);
    part.table.prefetch(hashes[i % ahead]);
  };
  for (std::size_t i = 0; i < std::min(ahead, count); ++i) prepare(i);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t hash = hashes[i % ahead];
    if (i + ahead < count) prepare(i + ahead);
    result(i, op.apply(part.table, key_at(i), hash, operand_at(i)...));
  }
}

/// The function that far::rpc calls at the owner, for one key.
template <class Part, class Op>
struct remote_one {
  [[no_unique_address]] Op op;

  template <class... Operands>
  auto operator()(rank_state& state, object_id id, typename Part::key_type key,
                  Operands... operands) {
    const auto part = state.get<directory>().find<Part>(id);
    const std::uint64_t hash = placing_hash<typename Part::hash_type>(key);
    return apply_one(*part, op, std::move(key), hash, std::move(operands)...);
  }
};

/// For many, with a vector of each operand.
template <class Part, class Op>
struct remote_many {
  [[no_unique_address]] Op op;

  template <class... Operands>
  auto operator()(rank_state& state, object_id id, std::vector<typename Part::key_type> keys,
                  std::vector<Operands>... operands) {
    const auto part = state.get<directory>().find<Part>(id);
    using key = typename Part::key_type;
    using value = decltype(op.apply(part->table, std::declval<key>(), std::uint64_t{},
                                    std::declval<Operands>()...));
    check_lengths(keys.size(), operands.size()...);
    std::vector<value> results;
    results.reserve(keys.size());
    apply_many(
        *part, op, keys.size(), [&](std::size_t i) -> key&& { return std::move(keys[i]); },
        [&](std::size_t, value result) { results.push_back(std::move(result)); },
        [&](std::size_t i) -> decltype(auto) { return taken_from(operands, i); }...);
    return results;
  }

 private:
  template <class T>
  static decltype(auto) taken_from(std::vector<T>& from, std::size_t i) {
    if constexpr (std::is_same_v<T, bool>) {
      return static_cast<bool>(from[i]);
    } else {
      return std::move(from[i]);
    }
  }
  template <class... Lengths>
  static void check_lengths([[maybe_unused]] std::size_t keys, Lengths... lengths) {
    if (((lengths != keys) || ...)) wire::throw_malformed("as many operands as keys are expected");
  }
};

}  // namespace far::containers
