#pragma once
// The heaps of a rank: one per segment that far hands memory out of.
//
// Threads: safe; a mutex per heap. No fabric operation runs under it.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "far/fabric/fabric.hpp"
#include "far/memory/heap.hpp"
#include "far/world/world.hpp"

namespace far::memory {

/// A heap over a segment of this rank, which keeps the segment's extent up to date, so that remote
/// accesses beyond the live allocations are caught.
class segment_heap {
 public:
  segment_heap(fabric::fabric& fabric, int segment, std::uint64_t granule);

  /// The memory is zeroed. `count` objects of `size` bytes.
  /// Errors: out_of_memory with the numbers and the option that raises the limit.
  [[nodiscard]] fabric::address allocate(std::uint64_t count, std::uint64_t size,
                                         std::uint64_t alignment);
  /// Null is ignored. Errors: bad_argument unless `place` came from allocate of this heap.
  void deallocate(fabric::address place);

  /// Which allocation an access misses, for whoever is told of it: "40 bytes past the end of ...".
  [[nodiscard]] std::string describe(std::uint64_t offset, std::uint64_t bytes) const;

  /// A fingerprint of all calls so far, equal on two ranks iff they made the same ones.
  [[nodiscard]] std::uint64_t history() const;

 private:
  [[noreturn]] void throw_full(std::uint64_t count, std::uint64_t size) const;
  void note(std::uint64_t what, std::uint64_t bytes) noexcept;

  fabric::fabric* fabric_;
  int segment_;
  mutable std::mutex mutex_;  // of all below
  heap heap_;
  std::uint64_t history_ = 0;
};

/// What a rank attaches to its state.
class heaps {
 public:
  explicit heaps(rank_state& state);

  /// Every rank allocates the same here, in the same order. A fabric whose atomics are all of one
  /// domain has one such heap.
  [[nodiscard]] segment_heap& symmetric(fabric::amo_domain domain) noexcept {
    return domain == fabric::amo_domain::nic && nic_ ? *nic_ : symmetric_;
  }
  /// The one that has given the memory there.
  [[nodiscard]] segment_heap& symmetric_with(fabric::address place) noexcept {
    return place.segment() == fabric::nic_segment && nic_ ? *nic_ : symmetric_;
  }
  /// What fabric::describe_access promises: symmetric heaps are laid out the same on all ranks.
  [[nodiscard]] std::string describe(fabric::address place, std::uint64_t bytes, int rank) const;
  /// A fingerprint of all calls of those so far.
  [[nodiscard]] std::uint64_t history() const;
  /// Each rank allocates for itself.
  [[nodiscard]] segment_heap& local() noexcept { return local_; }

 private:
  segment_heap symmetric_;
  segment_heap local_;
  std::optional<segment_heap> nic_;
};

}  // namespace far::memory
