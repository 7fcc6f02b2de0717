#pragma once
// The allocator of a segment: it decides at which offset each allocation lies. Its bookkeeping is
// outside the segment, so that no remote write can corrupt it.
//
// Threads: not thread-safe; segment_heap locks.
// Invariants: free blocks never touch each other; `free_` and `by_size_` hold the same blocks.
// Offsets depend only on the sequence of calls; symmetric allocation relies on that.

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "far/base/language.hpp"

namespace far::memory {

/// The largest alignment of a type, and of any allocation outside the symmetric heap.
inline constexpr std::uint64_t max_alignment = 4096;

/// Best fit over free blocks. A freed block merges with free neighbours at once. No allocation has
/// offset 0.
/// Cost: O(log blocks), more for alignments above the granule.
/// Checked by: heap_test.keeps_random_blocks_apart
class heap {
 public:
  /// Manages [0, capacity). Sizes are rounded up to the granule, a power of two <= 4096, and
  /// offsets are aligned to it.
  heap(std::uint64_t capacity, std::uint64_t granule);

  /// An allocation; offset 0 means that none was possible.
  struct block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  struct range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  /// `alignment` is a power of two. Every allocation, even one of 0 bytes, has an
  /// offset of its own.
  [[nodiscard]] block allocate(std::uint64_t bytes, std::uint64_t alignment);
  /// Gives a live allocation another size where it is, if that is possible: to shrink it always is,
  /// to grow it only into free space behind it. Offset 0 means that it was not possible.
  [[nodiscard]] block resize(std::uint64_t offset, std::uint64_t bytes);
  /// The live allocation that begins at `offset`, with the number of bytes that were requested; at
  /// offset 0 if there is none.
  [[nodiscard]] block at(std::uint64_t offset) const;
  /// False if no live allocation starts at `offset`. `written`: what of it may hold other bytes
  /// than zero, from its start.
  [[nodiscard]] bool deallocate(std::uint64_t offset, std::uint64_t written = ~std::uint64_t{0});
  /// The parts of [begin, end) that may hold other bytes than zero; from now on all of it may. Of a
  /// large allocation that is hardly used the rest is not touched when the memory is used again.
  [[nodiscard]] std::vector<range> use(std::uint64_t begin, std::uint64_t end);

  /// The live allocation that begins at `offset` or nearest below it, with the number of bytes that
  /// were requested; at offset 0 if there is none. Cost: O(allocations).
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
  std::uint64_t free_bytes_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;                // offset -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // bytes, offset
  std::map<std::uint64_t, std::uint64_t> zero_;                // begin -> end: holds only zeros
  struct held {
    std::uint64_t bytes = 0;
    std::uint64_t asked = 0;  // bytes requested, not rounded
  };
  std::unordered_map<std::uint64_t, held> live_;  // by offset
};

}  // namespace far::memory
