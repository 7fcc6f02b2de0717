#pragma once
// The memory of ranks, and what a network does to it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/fabric/sim/scheduler.hpp"

namespace far::fabric::sim {

/// A rank's window: zero-filled; pages use memory only once they are touched.
class window {
 public:
  /// Errors: out_of_memory.
  explicit window(std::uint64_t bytes);

  [[nodiscard]] std::byte* base() const noexcept { return pages_.get(); }
  [[nodiscard]] std::shared_ptr<const void> keep_mapped() const noexcept { return pages_; }

 private:
  std::shared_ptr<std::byte> pages_;
};

/// The layout of the segments in a window. The capacities must be multiples of 8.
segment_layout layout_of(std::uint64_t symmetric_bytes, std::uint64_t local_bytes);

/// The base address of each rank's memory, and how much of it the rank has allocated. Kept in one
/// place, because every operation looks these up for another rank.
class memory_map {
 public:
  memory_map(int ranks, const segment_layout& layout)
      : layout_(layout),
        windows_(static_cast<std::size_t>(ranks)),
        extents_(windows_.size() * address::max_segments) {}

  [[nodiscard]] const segment_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] std::byte*& window(int rank) noexcept {
    return windows_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::uint64_t& extent(int rank, int segment) noexcept {
    return extents_[static_cast<std::size_t>(segment) * windows_.size() +
                    static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::byte* at(address a) const noexcept {
    return windows_[static_cast<std::size_t>(a.rank())] +
           layout_.begin[static_cast<std::size_t>(a.segment())] + a.offset();
  }

 private:
  segment_layout layout_;
  std::vector<std::byte*> windows_;     // by rank
  std::vector<std::uint64_t> extents_;  // by segment and rank
};

/// Performs the request on its word at `where`. Returns the old value, zero-extended.
std::uint64_t perform(const amo_request& request, std::byte* where) noexcept;

/// Applies the signal to its word at `where`.
void perform(const signal& change, std::byte* where) noexcept;

/// Calls piece(offset, bytes) for each piece of a transfer of `bytes` bytes from or to `remote`.
/// `choices` decides where to cut; aligned words of 8 bytes stay whole.
template <class Piece>
void tear(scheduler& choices, address remote, std::uint64_t bytes, Piece piece) {
  constexpr std::uint64_t word = 8;
  constexpr std::uint64_t max_cuts = 3;
  if (bytes == 0) return;
  // The word boundaries 1 .. inside lie between the first and the last byte.
  const std::uint64_t begin = remote.offset();
  const std::uint64_t inside = (begin + bytes - 1) / word - begin / word;
  std::array<std::uint64_t, max_cuts> cuts{};  // 0: no cut
  const std::uint64_t count = inside == 0 ? 0 : choices.about(question::cuts).choose(max_cuts + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    cuts[i] = 1 + choices.about(question::cut_at).choose(inside);
  }
  std::sort(cuts.begin(), cuts.end());
  std::uint64_t done = 0;
  for (const std::uint64_t cut : cuts) {
    const std::uint64_t end = (begin / word + cut) * word - begin;
    if (cut == 0 || end == done) continue;
    piece(done, end - done);
    done = end;
  }
  piece(done, bytes - done);
}

}  // namespace far::fabric::sim
