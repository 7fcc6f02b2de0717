#pragma once
// The flag: a word of each bucket of a table in the segments. It says what the bucket holds, which
// rank has locked it, and how many ranks read it. Some bits of the key's hash in it avoid most
// comparisons with other keys.
//
// Invariants:
//   1. A bucket is first empty, then locked for its first key, and then holds that key for as long
//      as the table keeps its contents: ready or erased. It is never empty again. A search for a
//      key passes only buckets of other keys: their tags differ, or their keys were compared. So a
//      key is never in two buckets, and never behind a free bucket, or behind one that is locked
//      for a first key with the same tag.
//   2. Only the rank that has set `locked` changes the bucket, apart from the atomic additions of
//      invariant 3, and only that rank clears `locked`. The flag names that rank.
//   3. Readers count themselves. A rank that has locked a bucket to change its value waits until
//      the readers that came before are gone. Readers that come later see `locked`, and leave.
//      A rank that adds to a value by one atomic operation counts itself as a reader. It may add
//      if it found the bucket ready and not locked, at the same time as others that do the same.
//   4. A key does not change once its bucket has left the state empty.
//   5. Only the first in the line of the bucket's home (bucket_wait.hpp) sets `wanted`, in one
//      bucket at a time, and clears it: in the step that locks the bucket, or before it leaves the
//      line. An operation that may wait does not lock a bucket that another wants.

#include <cstdint>

#include "far/base/language.hpp"

namespace far::containers {

enum class bucket_state : std::uint8_t { empty = 0, ready = 1, erased = 2 };

namespace bucket_flag {

using word = std::uint64_t;

// From the low end: state 2 bits, locked 1, wanted 1, holder's rank 20, readers 20, tag 20.
inline constexpr word locked = 4;
inline constexpr word wanted = 8;
inline constexpr int holder_shift = 4;
inline constexpr word rank_mask = (word{1} << 20) - 1;
inline constexpr int readers_shift = 24;
inline constexpr word reader = word{1} << readers_shift;
inline constexpr int tag_shift = 44;

[[nodiscard]] constexpr bucket_state state_of(word flag) noexcept {
  return static_cast<bucket_state>(flag & 3);
}
[[nodiscard]] constexpr bool is_locked(word flag) noexcept { return (flag & locked) != 0; }
[[nodiscard]] constexpr bool is_wanted(word flag) noexcept { return (flag & wanted) != 0; }
[[nodiscard]] constexpr word readers_of(word flag) noexcept {
  return (flag >> readers_shift) & rank_mask;
}
/// Only for a locked bucket.
[[nodiscard]] constexpr int holder_of(word flag) noexcept {
  return static_cast<int>((flag >> holder_shift) & rank_mask);
}
/// The tag uses bits of the hash between the high ones, which select the rank, and the low ones,
/// which select the bucket.
[[nodiscard]] constexpr word tag_of_hash(std::uint64_t hash) noexcept {
  return (hash >> 20) << tag_shift;
}
[[nodiscard]] constexpr bool has_tag(word flag, word tag) noexcept {
  return (flag >> tag_shift) == (tag >> tag_shift);
}
/// Not locked, and without a key; readers may be counted.
[[nodiscard]] constexpr bool is_free(word flag) noexcept {
  return !is_locked(flag) && state_of(flag) == bucket_state::empty;
}

/// The flag of a bucket that `rank` has locked. `tag`: of the key; used if it is the first.
[[nodiscard]] constexpr word lock(word flag, int rank, word tag) noexcept {
  const word named = flag | locked | (static_cast<word>(rank) << holder_shift);
  return state_of(flag) == bucket_state::empty ? named | tag : named;
}
/// What to add to the flag to unlock the bucket in another state; readers may count themselves
/// meanwhile.
[[nodiscard]] constexpr word unlock(int rank, bucket_state from, bucket_state to) noexcept {
  return static_cast<word>(to) - static_cast<word>(from) - locked -
         (static_cast<word>(rank) << holder_shift);
}

}  // namespace bucket_flag

}  // namespace far::containers
