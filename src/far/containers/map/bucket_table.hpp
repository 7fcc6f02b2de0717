#pragma once
// A hash table in the segments: where it is, and its operations, each written once over the
// accesses of table_access.hpp.
//
// Open addressing with linear probing, within the part of the rank that a key's hash chooses. The
// word beside a bucket, and the invariants: bucket_flag.hpp. What differs from the paper: there a
// bucket's key comes and goes. Here an erased bucket keeps its key, so that erase hides nobody
// and a key is never there twice, however many ranks insert it at once; its space comes back when
// the table is made anew.
//
// Source: B. Brock et al., RDMA vs. RPC for implementing distributed data structures, 2019: hash
// table and concurrency promises.
//
// Cost: map_costs.hpp. The last A_fao of find and of add is not awaited and does not count there.
// While nobody looks for keys, there are no readers to wait for (R), and a bucket is given back
// without awaiting that (A_fao). While nobody changes anything, find is R.

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
  there,    ///< the key is; of erase: it was
  missing,  ///< the key is not there
  full,     ///< no bucket for a new key
  busy,     ///< another works on the bucket, and this one may not wait
  taken,    ///< the bucket, for what follows
};

/// How `take` ended, and where.
struct taken_bucket {
  table_outcome outcome = table_outcome::full;
  std::uint64_t index = 0;
  bucket_state was = bucket_state::empty;
};

/// Which bucket `take` is to take.
enum class taking : std::uint8_t {
  absent,   ///< that of a key that is not there
  any,      ///< that of the key, there or not
  present,  ///< that of a key that is there
};

template <class V>
struct found_value {
  table_outcome outcome = table_outcome::missing;
  V value{};
};

/// What is added to a value.
template <class V>
struct addition {
  /// Values that one atomic operation adds to.
  static constexpr bool is_atomic = rma::amo_value<V> && rma::arithmetic<V>;

  V more;

  [[nodiscard]] V first() const { return more; }
  void change(V& value) const { value += more; }
};
struct nothing_added {};

template <class Access>
using access_of = std::remove_reference_t<Access>;

/// For accesses that are complete when they return. What small results are returned in would go
/// through memory, and stall there, so all is inlined.
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
