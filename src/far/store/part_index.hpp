#pragma once
// The index of a part: a table of buckets that grows by one bucket at a time (linear hashing). All
// functions need the part's lock; read.hpp reads the index without it.
//
// With N buckets and L the largest power of two up to N, buckets below N - L and from L on are
// split: their keys share log2(L) + 1 bits of their hashes, those of others log2(L). A bucket's
// word says how many, so a reader that came to it by an old N notices.
//
// Source: buckets of 15 entries and overflow of L. Li et al., DArray, 2023, section 5.2;
// W. Litwin, Linear hashing, 1980.

#include <cstdint>
#include <string_view>

#include "far/store/item.hpp"
#include "far/store/part_memory.hpp"

namespace far::stores {

/// Marks a chain as being changed while it exists: readers that meet it come back, and those that
/// have read before read again.
class chain_change {
 public:
  chain_change(const part_memory& part, key_hash hash) noexcept;
  explicit chain_change(bucket& first) noexcept;
  chain_change(const chain_change&) = delete;
  chain_change& operator=(const chain_change&) = delete;
  ~chain_change();

 private:
  bucket* first_;
};

class part_index {
 public:
  /// Keys for each bucket at which the index is to grow: with 10 of 15 entries taken on average,
  /// one in six keys that do not exist or lie in overflow costs a second bucket.
  static constexpr std::uint64_t keys_per_bucket = 10;

  explicit part_index(const part_memory& part) noexcept : part_(part) {}

  /// The word of the entry whose item has this key, or null.
  [[nodiscard]] std::uint64_t* find(key_hash hash, std::string_view key) const noexcept;
  /// The word of the entry of the item at this place, or null.
  [[nodiscard]] std::uint64_t* find_at(key_hash hash, std::uint64_t place) const noexcept;

  /// Adds an entry for a key that has none. Needs a free overflow bucket (may_overflow).
  void add(key_hash hash, entry what) const noexcept;
  /// Empties the entry, and gives up overflow buckets that are no longer needed.
  void remove(key_hash hash, std::uint64_t* word) const noexcept;

  [[nodiscard]] bool is_to_grow() const noexcept {
    return part_.state().items >= keys_per_bucket * part_.state().buckets;
  }
  /// Bytes of the arena's beginning that one more bucket needs.
  [[nodiscard]] std::uint64_t bytes_after_growth() const noexcept {
    return (part_.state().buckets + 1) * sizeof(bucket);
  }
  /// Splits a bucket. Its memory must be there.
  void grow() const noexcept;

  [[nodiscard]] bool has_free_overflow() const noexcept { return part_.state().free_overflow != 0; }
  /// Bytes of the arena's end that one more overflow bucket needs.
  [[nodiscard]] std::uint64_t bytes_of_more_overflow() const noexcept {
    return (part_.state().overflow_buckets + 1) * sizeof(bucket);
  }
  /// Makes an overflow bucket. Its memory must be there.
  void add_overflow() const noexcept;

 private:
  void append(bucket& first, entry what) const noexcept;
  void free_overflow(std::uint64_t number) const noexcept;
  /// Calls visit(word) for the chain's entries that are not empty, until it returns true.
  template <class Visit>
  std::uint64_t* find_entry(key_hash hash, Visit visit) const noexcept;

  part_memory part_;
};

}  // namespace far::stores
