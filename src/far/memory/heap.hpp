#pragma once
// Where in a segment each allocation lies. Its bookkeeping is outside the segment, so no remote
// write can break it.
//
// Threads: not thread-safe; segment_heap locks.
// Invariants: free blocks never touch each other; `free_` and `by_size_` hold the same blocks.
// The same calls give the same offsets everywhere: symmetric allocation rests on that.

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "far/base/language.hpp"

namespace far::memory {

inline constexpr std::uint64_t max_alignment = 4096;

/// Best fit over free blocks, which merge with their neighbours at once. Offset 0 is never given.
/// Cost: O(log blocks), more for alignments above the granule.
/// Checked by: heap_test.keeps_random_blocks_apart
class heap {
 public:
  /// Manages [0, capacity). Sizes are rounded up to the granule, a power of two <= 4096, and
  /// offsets are aligned to it.
  heap(std::uint64_t capacity, std::uint64_t granule);

  /// What was handed out: at 0, nothing fits.
  struct block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    /// Bytes at its start that earlier allocations may have written; the rest is untouched since
    /// the heap began.
    std::uint64_t used_before = 0;
  };

  /// `alignment` is a power of two <= max_alignment. Any number of bytes, zero included, has an
  /// offset of its own.
  [[nodiscard]] block allocate(std::uint64_t bytes, std::uint64_t alignment);
  /// False if no live allocation starts at `offset`.
  [[nodiscard]] bool deallocate(std::uint64_t offset);

  /// The live allocation that begins at `offset` or nearest below it, and the bytes that were asked
  /// for. At 0: there is none. Cost: O(allocations).
  [[nodiscard]] block at_or_below(std::uint64_t offset) const;

  /// End of the highest live allocation; 0 if there is none.
  [[nodiscard]] std::uint64_t extent() const noexcept;
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::uint64_t free_bytes() const noexcept { return free_bytes_; }
  [[nodiscard]] std::uint64_t largest_free() const noexcept;
  [[nodiscard]] std::size_t live() const noexcept { return live_.size(); }

 private:
  void insert_free(std::uint64_t offset, std::uint64_t bytes);
  void erase_free(std::map<std::uint64_t, std::uint64_t>::iterator gone);

  std::uint64_t capacity_;
  std::uint64_t granule_;
  std::uint64_t fresh_;  // nothing at or above it was ever handed out
  std::uint64_t free_bytes_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;                // offset -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // bytes, offset
  struct held {
    std::uint64_t bytes = 0;
    std::uint64_t asked = 0;  // the same, not rounded
  };
  std::unordered_map<std::uint64_t, held> live_;  // by offset
};

}  // namespace far::memory
