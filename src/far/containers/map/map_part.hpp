#pragma once
// The part of a hash_map that one rank owns: a private table, or the rank's part of a table in the
// segments. Also the ways to run an operation (map_operations.hpp) on a private table: the owner
// runs it directly, other ranks send it, alone or in batches. For tables in the segments, see
// table_user.hpp.
//
// Threads: a private table has a mutex. Its holders make no fabric calls, so they hold it only for
// a short time, except for local iteration; a handler that arrives meanwhile waits for its end.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/check.hpp"
#include "far/containers/map/batch.hpp"
#include "far/containers/map/key_work.hpp"
#include "far/containers/map/local_table.hpp"
#include "far/containers/map/shared_table.hpp"
#include "far/containers/phase.hpp"
#include "far/homes/registry.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far::containers {

class map_choices;

template <class K, class V, class Hash>
struct map_part {
  using key_type = K;
  using mapped_type = V;
  using hash_type = Hash;
  using table_type = local_table<K, V, Hash>;

  /// Whether the part can be in the segments.
  static constexpr bool may_be_shared = bucket_object<K> && bucket_object<V>;

  /// Locks the part. Debug builds report a thread that locks it twice.
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
  table_type table;  // protected by the mutex; unused if the map is in the segments

  // Constant once ranks use the map.
  typename shared_table_of<K, V>::type shared;
  // Where each rank's buckets are; an entry is null if plain instructions cannot perform
  // atomics there, and the array is null if all entries would be.
  std::unique_ptr<std::byte*[]> places;
  // For policy::automatic; null if there is nothing to choose.
  std::shared_ptr<map_choices> choices;
  phase_record phase;
  key_work work;

  [[nodiscard]] bool is_shared() const noexcept { return shared.buckets != 0; }
  /// Errors: fabric_error if the map is not in the segments.
  [[nodiscard]] const auto& shared_or_throw() const {
    if (!is_shared()) wire::throw_malformed("a hash_map in the segments is expected");
    return shared;
  }
};

// -- ways to run an operation on a private table

template <class Part, class Op, class K, class... Operands>
decltype(auto) apply_one(Part& part, Op& op, K&& key, std::uint64_t hash, Operands&&... operands) {
  const typename Part::lock lock(part);
  return op.apply(part.table, std::forward<K>(key), hash, std::forward<Operands>(operands)...);
}

/// Runs op on keys 0 .. count-1. key_at(i) and operand_at(i)... return references to forward, and
/// result(i, value) receives each result. Prefetches the memory of some keys ahead.
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
  auto operator()(rank_state& state, homes::object_id id, typename Part::key_type key,
                  Operands... operands) {
    const auto part = state.get<homes::registry>().find<Part>(id);
    const std::uint64_t hash = placing_hash<typename Part::hash_type>(key);
    return apply_one(*part, op, std::move(key), hash, std::move(operands)...);
  }
};

/// The same for many keys, with a vector of each operand.
template <class Part, class Op>
struct remote_many {
  [[no_unique_address]] Op op;

  template <class... Operands>
  auto operator()(rank_state& state, homes::object_id id, std::vector<typename Part::key_type> keys,
                  std::vector<Operands>... operands) {
    const auto part = state.get<homes::registry>().find<Part>(id);
    using key = typename Part::key_type;
    using value = decltype(op.apply(part->table, std::declval<key>(), std::uint64_t{},
                                    std::declval<Operands>()...));
    check_operands(keys.size(), operands.size()...);
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
};

}  // namespace far::containers
