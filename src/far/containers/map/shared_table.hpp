#pragma once
// A table in the segments, with a part of the same size at every rank.

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "far/containers/map/bucket_flag.hpp"
#include "far/containers/map/bucket_table.hpp"
#include "far/containers/map/table_access.hpp"
#include "far/homes/registry.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Types that a table in the segments can hold.
template <class T>
concept bucket_object = remote_object<T> && std::default_initializable<T>;

template <class K, class V>
struct shared_table {
  ptr<bucket<K, V>> first;       ///< of this rank's part; other ranks' parts have the same offset
  std::uint64_t buckets = 0;     ///< per rank
  std::uint64_t capacity = 0;    ///< keys of all ranks
  std::span<bucket<K, V>> here;  ///< this rank's part

  [[nodiscard]] table_part<K, V> part(int rank) const noexcept { return {first.on(rank), buckets}; }
};

/// Takes the place of shared_table for types that it cannot hold.
struct no_table {
  static constexpr std::uint64_t buckets = 0;
};

template <class K, class V>
struct shared_table_of {
  using type = no_table;
};
template <bucket_object K, bucket_object V>
struct shared_table_of<K, V> {
  using type = shared_table<K, V>;
};

/// Returns the number of buckets per rank for `capacity` keys in all: a power of two, of which at
/// most four fifths are taken, even though hashes distribute the keys unevenly.
/// Errors: bad_argument if `capacity` is 0, or if no segment could hold the buckets.
/// Checked by: hash_map_capacity_test.refuses_what_cannot_be
[[nodiscard]] std::uint64_t buckets_for(std::uint64_t capacity, int ranks,
                                        std::size_t bucket_bytes);

/// Collective. Returns when every rank has added its part of the map.
/// Errors: bad_argument, on every rank, if ranks make different maps.
void agree_on_table(const world& world, homes::object_id id, const char* type,
                    std::uint64_t capacity, amo_domain domain);

/// Collective, and so is freeing the memory. No rank may use the table before the next barrier.
/// Errors: bad_argument, out_of_memory: on all ranks alike.
template <class K, class V>
[[nodiscard]] shared_table<K, V> make_table(const world& world, std::uint64_t capacity,
                                            amo_domain domain) {
  shared_table<K, V> table;
  table.buckets = buckets_for(capacity, world.size(), sizeof(bucket<K, V>));
  table.capacity = capacity;
  table.first = allocate<bucket<K, V>>(world, table.buckets, domain);
  table.here = local_span(world, table.first, table.buckets);
  return table;
}

/// Counts the keys. Other ranks may use the buckets at the same time.
template <class K, class V>
[[nodiscard]] std::size_t count_ready(std::span<bucket<K, V>> buckets) noexcept {
  std::size_t count = 0;
  for (bucket<K, V>& one : buckets) {
    const auto flag = std::atomic_ref(one.flag).load(std::memory_order_relaxed);
    if (bucket_flag::state_of(flag) == bucket_state::ready) ++count;
  }
  return count;
}

/// Unlocks the buckets that `rank`, which has failed, left locked: buckets of new keys become
/// erased, others keep their state. Returns the keys that were ready; their values may be half
/// written.
template <class K, class V>
[[nodiscard]] std::vector<K> unlock_of_dead_rank(std::span<bucket<K, V>> buckets, int rank) {
  std::vector<K> changing;
  for (bucket<K, V>& one : buckets) {
    const std::atomic_ref flag(one.flag);
    const bucket_flag::word seen = flag.load(std::memory_order_acquire);
    if (!bucket_flag::is_locked(seen) || bucket_flag::holder_of(seen) != rank) continue;
    const bucket_state was = bucket_flag::state_of(seen);
    const bool is_new = was == bucket_state::empty;
    if (was == bucket_state::ready) changing.push_back(one.item.key);
    flag.fetch_add(bucket_flag::unlock(rank, was, is_new ? bucket_state::erased : was),
                   std::memory_order_acq_rel);
  }
  return changing;
}

/// Rebuilds a rank's part without its erased keys; no rank may use it meanwhile. hash_of(key)
/// returns the hash that the operations use.
template <class K, class V, class HashOf>
void rebuild(std::span<bucket<K, V>> buckets, HashOf hash_of) {
  std::vector<bucket<K, V>> kept;
  std::copy_if(buckets.begin(), buckets.end(), std::back_inserter(kept), [](const auto& one) {
    return bucket_flag::state_of(one.flag) == bucket_state::ready;
  });
  std::memset(static_cast<void*>(buckets.data()), 0, buckets.size_bytes());
  const std::uint64_t mask = buckets.size() - 1;
  for (const bucket<K, V>& one : kept) {
    std::uint64_t index = hash_of(one.item.key) & mask;
    while (buckets[index].flag != 0) index = (index + 1) & mask;
    buckets[index] = one;
  }
}

/// Throws bad_argument if `wanted` is more than `capacity`.
void check_capacity(std::uint64_t wanted, std::uint64_t capacity);

/// Throws bad_argument: one-sided operations need a map in the segments.
[[noreturn]] void throw_not_shared();

/// Throws out_of_memory, with numbers: an insertion has found no bucket.
[[noreturn]] void throw_full(int rank, std::uint64_t buckets, std::uint64_t capacity);

}  // namespace far::containers
