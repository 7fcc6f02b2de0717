#pragma once
// A hash table in the segments: its layout, and its operations, each written once over the accesses
// of table_access.hpp.
//
// It uses open addressing with linear probing, within the part of the rank that the key's hash
// selects. bucket_flag.hpp describes the flag of a bucket, and the invariants. This differs from
// the paper, where the key of a bucket can be removed and replaced. Here an erased bucket keeps its
// key. So erase hides no other key, and a key is never in two buckets, however many ranks insert it
// at once. Rebuilding the table frees the space.
//
// Source: B. Brock et al., RDMA vs. RPC for implementing distributed data structures, 2019: hash
// table and concurrency promises.
//
// Cost: map_costs.hpp. The last A_fao of find and of add is not awaited and does not count there.
// While no rank looks up keys, there are no readers to wait for (R), and unlocking a bucket is not
// awaited (A_fao): a later operation that meets the locked bucket waits instead. While no rank
// changes the map, find is R.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>

#include "far/containers/map/bucket_flag.hpp"
#include "far/containers/routine.hpp"
#include "far/rma/amo.hpp"
#include "far/rma/atomic_loops.hpp"

namespace far::containers {

template <class K, class V>
struct table_item {
  K key;
  V value;
};

/// Buckets of up to 64 bytes lie in one cache line.
template <class K, class V>
inline constexpr std::size_t bucket_alignment =
    std::min<std::size_t>(64, std::bit_ceil(sizeof(std::uint64_t) + sizeof(table_item<K, V>)));

template <class K, class V>
struct alignas(bucket_alignment<K, V>) bucket {
  std::uint64_t flag;
  table_item<K, V> item;
};

enum class table_outcome : std::uint8_t {
  added,
  there,    ///< the key is there; for erase: it was
  missing,  ///< the key is not there
  full,     ///< no bucket for a new key
  busy,     ///< the bucket is in use, and this operation must not wait
  locked,   ///< the bucket is locked, for what follows
};

/// How lock_bucket ended, and where.
struct locked_bucket {
  table_outcome outcome = table_outcome::full;
  std::uint64_t index = 0;
  bucket_state was = bucket_state::empty;
};

/// Which bucket lock_bucket is to lock.
enum class bucket_wanted : std::uint8_t {
  absent,   ///< the bucket of a key that is not there
  any,      ///< the bucket of the key, there or not
  present,  ///< the bucket of a key that is there
};

template <class V>
struct found_value {
  table_outcome outcome = table_outcome::missing;
  V value{};
};

/// Adds `more` to a value.
template <class V>
struct addition {
  /// Whether one atomic operation can add to the value.
  static constexpr bool is_atomic = rma::amo_value<V> && rma::arithmetic<V>;

  V more;

  [[nodiscard]] V first() const { return more; }
  void change(V& value) const { value += more; }
};
struct nothing_added {};

template <class Access>
using access_of = std::remove_reference_t<Access>;

/// For accesses that are complete when they return. All routines are inlined: otherwise small
/// results are returned through memory, which stalls (docs/decisions/0005-one-body-two-forms.md).
struct waited_operations {
#define FAR_ROUTINE(...) [[gnu::always_inline]] static inline __VA_ARGS__
#define FAR_AWAIT
#define FAR_RETURN return
#include "far/containers/map/bucket_operations.inc"
#undef FAR_ROUTINE
#undef FAR_AWAIT
#undef FAR_RETURN
};

/// For accesses that are futures.
struct started_operations {
#define FAR_ROUTINE(...) static routine<__VA_ARGS__>
#define FAR_AWAIT co_await
#define FAR_RETURN co_return
#include "far/containers/map/bucket_operations.inc"
#undef FAR_ROUTINE
#undef FAR_AWAIT
#undef FAR_RETURN
};

}  // namespace far::containers
