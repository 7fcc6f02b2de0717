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
// Cost, for a key in its first bucket:
//   insert              A_cas + W + A_fao
//   insert, it is there A_cas + R
//   assign to a key     A_cas + R + A_cas + R + W + A_fao
//   erase               R + R + A_cas + A_fao
//   find                A_fao + R + A_fao, the last not awaited

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "far/containers/bucket_flag.hpp"
#include "far/containers/routine.hpp"

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

/// Takes the bucket where the key is or belongs. Readers that came before may still be there.
template <class Access, class K>
routine<taken_bucket> take(Access part, K key, std::uint64_t hash, taking which) {
  namespace flag = bucket_flag;
  const flag::word tag = flag::tag_of_hash(hash);
  std::uint64_t index = hash & part.mask();
  for (std::uint64_t probed = 0; probed <= part.mask(); ++probed) {
    // A new key's bucket is free most often, and then the first access takes it.
    flag::word seen = 0;
    if (which == taking::present) {
      seen = co_await part.load(index);
    } else {
      seen = co_await part.exchange(index, 0, flag::take(0, part.rank(), tag));
      if (seen == 0) co_return taken_bucket{table_outcome::taken, index, bucket_state::empty};
    }
    for (;;) {
      const bucket_state state = flag::state_of(seen);
      const auto ends = [&](table_outcome outcome) { return taken_bucket{outcome, index, state}; };
      bool waits = false;
      const bool is_free = flag::is_free(seen);
      if (!is_free && !flag::has_tag(seen, tag)) break;
      if (state != bucket_state::empty) {
        const bool same = co_await part.key_is(index, key);
        if (!same) break;
        waits = flag::is_taken(seen);
        if (!waits && which == taking::absent && state == bucket_state::ready) {
          co_return ends(table_outcome::there);
        }
        if (!waits && which == taking::present && state == bucket_state::erased) {
          co_return ends(table_outcome::missing);
        }
      } else if (which == taking::present) {  // the key is not there yet, nor behind it
        co_return ends(table_outcome::missing);
      } else {
        waits = !is_free;  // taken, perhaps for this key
      }
      if (waits) {
        const bool rested = co_await part.rest();
        if (!rested) co_return ends(table_outcome::busy);
        seen = co_await part.load(index);
        continue;
      }
      const flag::word expected = seen;
      seen = co_await part.exchange(index, expected, flag::take(expected, part.rank(), tag));
      if (seen == expected) co_return ends(table_outcome::taken);
    }
    index = (index + 1) & part.mask();
  }
  co_return taken_bucket{which == taking::present ? table_outcome::missing : table_outcome::full};
}

/// Gives a taken bucket back: ready, or erased.
template <class Access>
routine<table_outcome> give_back(Access part, taken_bucket bucket, bucket_state next,
                                 table_outcome outcome) {
  const auto change = bucket_flag::give_back(part.rank(), bucket.was, next);
  (void)co_await part.add(bucket.index, change);
  co_return outcome;
}

/// Waits until nobody reads a taken bucket whose value is to change. False: this one may not wait.
template <class Access>
routine<bool> drain(Access part, std::uint64_t index) {
  for (;;) {
    const bucket_flag::word flag = co_await part.load(index);
    if (bucket_flag::readers_of(flag) == 0) co_return true;
    const bool rested = co_await part.rest();
    if (!rested) co_return false;
  }
}

/// Fills a taken bucket. False: readers are in it, and this one may not wait for them.
template <class Access, class K, class V>
routine<bool> write(Access part, taken_bucket bucket, const K& key, const V& value) {
  if (bucket.was == bucket_state::empty) {
    const table_item<K, V> item{key, value};
    co_await part.write(bucket.index, item);
    co_return true;
  }
  const bool drained = co_await drain(part, bucket.index);
  if (drained) co_await part.write_value(bucket.index, value);
  co_return drained;
}

/// Adds a key, unless it is there.
template <class Access, class K, class V>
routine<table_outcome> insert(Access part, K key, V value, std::uint64_t hash) {
  const taken_bucket bucket =
      co_await take<Access, const std::remove_cvref_t<K>&>(part, key, hash, taking::absent);
  if (bucket.outcome != table_outcome::taken) co_return bucket.outcome;
  const bool written = co_await write(part, bucket, key, value);
  if (!written) co_return co_await give_back(part, bucket, bucket.was, table_outcome::busy);
  co_return co_await give_back(part, bucket, bucket_state::ready, table_outcome::added);
}

/// Adds a key, or replaces its value.
template <class Access, class K, class V>
routine<table_outcome> assign(Access part, K key, V value, std::uint64_t hash) {
  const taken_bucket bucket =
      co_await take<Access, const std::remove_cvref_t<K>&>(part, key, hash, taking::any);
  if (bucket.outcome != table_outcome::taken) co_return bucket.outcome;
  const bool written = co_await write(part, bucket, key, value);
  if (!written) co_return co_await give_back(part, bucket, bucket.was, table_outcome::busy);
  const bool was_there = bucket.was == bucket_state::ready;
  co_return co_await give_back(part, bucket, bucket_state::ready,
                               was_there ? table_outcome::there : table_outcome::added);
}

/// Removes a key. Its bucket keeps it, for who looks for others.
template <class Access, class K>
routine<table_outcome> erase(Access part, K key, std::uint64_t hash) {
  const taken_bucket bucket =
      co_await take<Access, const std::remove_cvref_t<K>&>(part, key, hash, taking::present);
  if (bucket.outcome != table_outcome::taken) co_return bucket.outcome;
  co_return co_await give_back(part, bucket, bucket_state::erased, table_outcome::there);
}

template <class V>
struct found_value {
  table_outcome outcome = table_outcome::missing;
  V value{};
};

/// The value of a key, while anything may happen to it.
template <class Access, class K, class V = typename Access::value_type>
routine<found_value<V>> find(Access part, K key, std::uint64_t hash) {
  namespace flag = bucket_flag;
  const flag::word tag = flag::tag_of_hash(hash);
  std::uint64_t index = hash & part.mask();
  for (std::uint64_t probed = 0; probed <= part.mask();) {
    const flag::word seen = co_await part.add(index, flag::reader);
    const bucket_state state = flag::state_of(seen);
    const bool tagged = flag::has_tag(seen, tag);
    const bool may_be_it = tagged && state != bucket_state::empty;
    table_item<std::remove_cvref_t<K>, V> item{};
    if (may_be_it) item = co_await part.read(index);
    part.add_late(index, -flag::reader);
    const bool same = may_be_it && item.key == key;
    // Behind a free bucket there is nothing; nor the key behind one that is being filled with it.
    if (flag::is_free(seen) || (tagged && state == bucket_state::empty)) break;
    if (same && flag::is_taken(seen)) {
      const bool rested = co_await part.rest();
      if (!rested) co_return found_value<V>{table_outcome::busy};
      continue;
    }
    if (same && state == bucket_state::erased) break;
    if (same) co_return found_value<V>{table_outcome::there, item.value};
    ++probed;
    index = (index + 1) & part.mask();
  }
  co_return found_value<V>{};
}

}  // namespace far::containers
