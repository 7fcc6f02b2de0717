#pragma once

#include <compare>
#include <cstdint>

#include "far/base/language.hpp"

namespace far::fabric {

/// The location of a byte in the job. It is one 64-bit word, so that it fits in atomics and in
/// remote data structures:
///
///     63            44 43      40 39                     0
///     [   rank : 20  ] [ seg : 4 ] [     offset : 40     ]
///
/// Offset 0 of a segment is never allocated; the all-zero word is the null address.
/// Arithmetic moves the offset within the same rank and segment.
class address {
 public:
  static constexpr int rank_bits = 20;
  static constexpr int segment_bits = 4;
  static constexpr int offset_bits = 40;
  static constexpr int max_ranks = 1 << rank_bits;
  static constexpr int max_segments = 1 << segment_bits;
  static constexpr std::uint64_t max_offset = (std::uint64_t{1} << offset_bits) - 1;

  constexpr address() noexcept = default;
  constexpr address(int rank, int segment, std::uint64_t offset) noexcept
      : bits_(static_cast<std::uint64_t>(rank) << (segment_bits + offset_bits) |
              static_cast<std::uint64_t>(segment) << offset_bits | offset) {}

  [[nodiscard]] static constexpr address from_bits(std::uint64_t bits) noexcept {
    address result;
    result.bits_ = bits;
    return result;
  }

  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr int rank() const noexcept {
    return static_cast<int>(bits_ >> (segment_bits + offset_bits));
  }
  [[nodiscard]] constexpr int segment() const noexcept {
    return static_cast<int>(bits_ >> offset_bits) & (max_segments - 1);
  }
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return bits_ & max_offset; }

  /// The same segment and offset on another rank, for symmetric allocations.
  [[nodiscard]] constexpr address on(int rank) const noexcept {
    return {rank, segment(), offset()};
  }

  constexpr explicit operator bool() const noexcept { return bits_ != 0; }
  friend constexpr address operator+(address a, std::int64_t bytes) noexcept {
    return from_bits(a.bits_ + static_cast<std::uint64_t>(bytes));
  }
  friend constexpr auto operator<=>(const address&, const address&) = default;

 private:
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(address) == 8);

}  // namespace far::fabric
