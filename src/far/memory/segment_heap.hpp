#pragma once
// The heaps of a rank: one per segment.
//
// Threads: safe; a mutex per heap. It is not held during fabric operations.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/memory/heap.hpp"
#include "far/world/world.hpp"

namespace far::memory {

/// A heap over a segment of this rank. It keeps the segment's extent up to date, so that remote
/// accesses beyond the live allocations are detected.
class segment_heap {
 public:
  segment_heap(fabric::fabric& fabric, int segment, std::uint64_t granule);

  /// `alignment`, or at least that of the type. Errors: bad_argument unless it is a power of two,
  /// at most that of the segment.
  [[nodiscard]] std::uint64_t checked_alignment(std::uint64_t alignment,
                                                std::uint64_t of_type) const;
  /// Allocates and zeroes `count` objects of `size` bytes.
  /// Errors: out_of_memory with the numbers and the option that raises the limit.
  [[nodiscard]] fabric::address allocate(std::uint64_t count, std::uint64_t size,
                                         std::uint64_t alignment);
  /// Gives an allocation another size, with its content kept up to the smaller one and zeros
  /// behind: in place where it can, else elsewhere. `alignment` is that of the result. Null: as
  /// allocate. Errors: bad_argument unless `place` came from allocate of this heap; out_of_memory,
  /// then the allocation is as before.
  [[nodiscard]] fabric::address reallocate(fabric::address place, std::uint64_t count,
                                           std::uint64_t size, std::uint64_t alignment);
  /// Null is ignored. `written`: no byte behind so many was ever written. Errors: bad_argument
  /// unless `place` came from allocate of this heap.
  void deallocate(fabric::address place, std::uint64_t written = ~std::uint64_t{0});

  /// Which allocation an invalid access misses, for its error message: "40 bytes past the end of
  /// ...".
  [[nodiscard]] std::string describe(std::uint64_t offset, std::uint64_t bytes) const;

  /// A fingerprint of all calls so far. It is equal on two ranks iff they made the same calls.
  [[nodiscard]] std::uint64_t history() const;

 private:
  [[noreturn]] void throw_not_here(fabric::address place, const char* verb) const;
  [[noreturn]] void throw_full(std::uint64_t count, std::uint64_t size) const;
  [[nodiscard]] bool holds(fabric::address place) const noexcept {
    return place.rank() == fabric_->rank() && place.segment() == segment_;
  }
  void clear(const std::vector<heap::range>& used) const;
  void note(std::uint64_t what, std::uint64_t bytes) noexcept;

  fabric::fabric* fabric_;
  int segment_;
  mutable std::mutex mutex_;  // guards all below
  heap heap_;
  std::uint64_t history_ = 0;
};

/// The heaps of a rank, attached to its rank_state.
class heaps {
 public:
  explicit heaps(rank_state& state);

  /// The heap of collective allocations: every rank makes the same calls in the same order. Where
  /// the fabric has only one domain of atomics, both domains share a heap.
  [[nodiscard]] segment_heap& symmetric(fabric::amo_domain domain) noexcept {
    return domain == fabric::amo_domain::nic && nic_ ? *nic_ : symmetric_;
  }
  /// The symmetric heap that `place` belongs to.
  [[nodiscard]] segment_heap& symmetric_with(fabric::address place) noexcept {
    return place.segment() == fabric::nic_segment && nic_ ? *nic_ : symmetric_;
  }
  /// Implements fabric::describe_access. Symmetric heaps have the same layout on all ranks, so this
  /// rank's describe those of others too.
  [[nodiscard]] std::string describe(fabric::address place, std::uint64_t bytes, int rank) const;
  /// A fingerprint of all calls to the symmetric heaps so far.
  [[nodiscard]] std::uint64_t history() const;
  /// The heap of this rank's own allocations.
  [[nodiscard]] segment_heap& local() noexcept { return local_; }

 private:
  segment_heap symmetric_;
  segment_heap local_;
  std::optional<segment_heap> nic_;
};

}  // namespace far::memory
