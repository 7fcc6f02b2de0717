#pragma once
// The word beside each bucket of a table in the segments: what the bucket holds, who works on it,
// who reads it, and some bits of its key's hash, which spare most looks at other keys.
//
// Invariants:
//   1. A bucket is empty, then taken for its first key, then holds that key for as long as the
//      table keeps its contents: ready, or erased. It is never empty again. Who looks for a key
//      passes only buckets of other keys: with other tags, or looked at. So a key is never in two
//      buckets, and never behind a free one, or one taken for a first key with the same tag.
//   2. Who has set `taken` alone changes the bucket, and alone clears it. The word names that
//      rank.
//   3. Readers count themselves. Who has taken a bucket to change its value waits until those that
//      came before are gone; those that come later see `taken`, and go.
//      Who adds to a value by one atomic operation counts itself as a reader: it may do so where it
//      found the bucket ready and not taken, beside others that do the same.
//   4. A key does not change once its bucket has left the state empty.

#include <cstdint>

#include "far/base/language.hpp"

namespace far::containers {

enum class bucket_state : std::uint8_t { empty = 0, ready = 1, erased = 2 };

namespace bucket_flag {

using word = std::uint64_t;

// From the low end: state 2 bits, taken 1, taker's rank 20, readers 20, tag 21.
inline constexpr word taken = 4;
inline constexpr int taker_shift = 3;
inline constexpr word rank_mask = (word{1} << 20) - 1;
inline constexpr int readers_shift = 23;
inline constexpr word reader = word{1} << readers_shift;
inline constexpr int tag_shift = 43;

[[nodiscard]] constexpr bucket_state state_of(word flag) noexcept {
  return static_cast<bucket_state>(flag & 3);
}
[[nodiscard]] constexpr bool is_taken(word flag) noexcept { return (flag & taken) != 0; }
[[nodiscard]] constexpr word readers_of(word flag) noexcept {
  return (flag >> readers_shift) & rank_mask;
}
/// Of a taken bucket.
[[nodiscard]] constexpr int taker_of(word flag) noexcept {
  return static_cast<int>((flag >> taker_shift) & rank_mask);
}
/// Of a hash whose high bits chose the rank, and whose low ones the bucket.
[[nodiscard]] constexpr word tag_of_hash(std::uint64_t hash) noexcept {
  return (hash >> 20) << tag_shift;
}
[[nodiscard]] constexpr bool has_tag(word flag, word tag) noexcept {
  return (flag >> tag_shift) == (tag >> tag_shift);
}
/// Nobody's, and without a key; readers may pass.
[[nodiscard]] constexpr bool is_free(word flag) noexcept {
  return !is_taken(flag) && state_of(flag) == bucket_state::empty;
}

/// The word of a bucket that `rank` has taken. `tag`: of the key, if it is the bucket's first.
[[nodiscard]] constexpr word take(word flag, int rank, word tag) noexcept {
  const word named = flag | taken | (static_cast<word>(rank) << taker_shift);
  return state_of(flag) == bucket_state::empty ? named | tag : named;
}
/// What, added to the word, gives the bucket back in another state; readers may come meanwhile.
[[nodiscard]] constexpr word give_back(int rank, bucket_state from, bucket_state to) noexcept {
  return static_cast<word>(to) - static_cast<word>(from) - taken -
         (static_cast<word>(rank) << taker_shift);
}

}  // namespace bucket_flag

}  // namespace far::containers
