#pragma once
// The layout of objects in memory, the same at their home and in copies.
//
// A region is what ranks copy and keep coherent: an object, a small array, or a piece of a large
// array. It is a header of 16 bytes, and up to max_region_bytes of data. A region never crosses the
// border of a block of 64 KB. Blocks are what memory is taken and given back in.
//
//   block of small regions   | header | data | header | data | ... |
//   block of a large array   | header | elements k*n .. (k+1)*n - 1 |   one for each piece k
//
// (oo-dsm-rdma.txt, section 1: "a single Java object or a 64 KByte chunk of an array".)

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "far/object/reference.hpp"

namespace far::objects {

inline constexpr std::uint64_t block_bytes = 65536;
inline constexpr std::uint64_t granule = 16;  ///< regions begin at multiples of it

/// Directly before a region's data. A piece beyond the end of an array finds no header, or one of
/// another piece, so an index can be checked against it.
struct region_header {
  std::uint32_t type = 0;     ///< type_descriptor::id; 0: there is no region here
  std::uint16_t length = 0;   ///< elements in this region
  std::uint16_t monitor = 0;  ///< at the home: monitor_word
  std::uint64_t extent = 0;   ///< {piece : 24, elements of the whole array : 40}

  [[nodiscard]] std::uint64_t piece() const noexcept { return extent >> 40; }
  [[nodiscard]] std::uint64_t total() const noexcept { return extent & place::offset_mask; }
};
static_assert(sizeof(region_header) == granule);

/// The header before a region's data, without the monitor, which other threads may be changing.
[[nodiscard]] inline region_header header_of_region(const std::byte* data) noexcept {
  const auto* const header = reinterpret_cast<const region_header*>(data - sizeof(region_header));
  return {header->type, header->length, 0, header->extent};
}

inline constexpr std::uint64_t max_region_bytes = block_bytes - sizeof(region_header);

/// What a region with so many bytes of data takes. An empty array, too, has an address of its own.
[[nodiscard]] constexpr std::uint64_t room_of_region(std::uint64_t bytes) noexcept {
  return sizeof(region_header) + (bytes == 0 ? granule : (bytes + granule - 1) / granule * granule);
}

/// Elements of a piece of a large array.
[[nodiscard]] constexpr std::uint64_t per_piece(std::uint64_t element_bytes) noexcept {
  return max_region_bytes / element_bytes;
}

/// Where element i of an array is: the region of its piece, and its number there.
struct element_place {
  place region;
  std::uint64_t piece;
  std::uint64_t number;
};
[[nodiscard]] constexpr element_place find_element(place array, std::uint64_t i,
                                                   std::uint64_t element_bytes) noexcept {
  const std::uint64_t piece = i / per_piece(element_bytes);
  return {array.plus(piece * block_bytes), piece, i % per_piece(element_bytes)};
}

/// A bit for each granule of a rank's memory.
[[nodiscard]] constexpr std::uint64_t words_of_bitmap(std::uint64_t bytes) noexcept {
  return (bytes / granule + 63) / 64;
}
[[nodiscard]] inline bool test_bit(const std::uint64_t* bitmap, std::uint64_t offset) noexcept {
  const std::uint64_t n = offset / granule;
  return ((bitmap[n / 64] >> (n % 64)) & 1) != 0;
}
/// Only the thread that owns a bitmap changes it; others may look at it.
[[nodiscard]] inline bool peek_bit(std::uint64_t* bitmap, std::uint64_t offset) noexcept {
  const std::uint64_t n = offset / granule;
  const std::atomic_ref<std::uint64_t> word(bitmap[n / 64]);
  return ((word.load(std::memory_order_relaxed) >> (n % 64)) & 1) != 0;
}
inline void set_bit(std::uint64_t* bitmap, std::uint64_t offset) noexcept {
  const std::uint64_t n = offset / granule;
  const std::atomic_ref<std::uint64_t> word(bitmap[n / 64]);
  word.store(bitmap[n / 64] | (std::uint64_t{1} << (n % 64)), std::memory_order_relaxed);
}
inline void clear_bit(std::uint64_t* bitmap, std::uint64_t offset) noexcept {
  const std::uint64_t n = offset / granule;
  const std::atomic_ref<std::uint64_t> word(bitmap[n / 64]);
  word.store(bitmap[n / 64] & ~(std::uint64_t{1} << (n % 64)), std::memory_order_relaxed);
}

}  // namespace far::objects
