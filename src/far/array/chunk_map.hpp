#pragma once
// Which rank holds which element of a cached array, and in which chunk.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace far::detail {

/// Parts of consecutive elements, one per rank in rank order, each cut into chunks of C elements.
/// Chunks are numbered through all parts; the last chunk of a part may be shorter, and a part may
/// be empty.
/// Checked by: chunk_map_test.every_element_has_one_chunk
class chunk_map {
 public:
  chunk_map() = default;
  /// An even partition: whole chunks where there is at least one for each rank, else as far::array.
  chunk_map(std::uint64_t size, int ranks, std::uint64_t chunk);
  /// Rank r holds [begins[r], begins[r + 1]); the last one holds the rest.
  /// Errors: bad_argument unless there is one begin per rank, ascending from 0 to at most `size`,
  /// and the chunk has at least one element.
  chunk_map(std::uint64_t size, int ranks, std::uint64_t chunk,
            const std::vector<std::uint64_t>& begins);

  /// Whether element i is in chunk i >> shift(), in all parts.
  [[nodiscard]] bool finds_by_shift() const noexcept { return is_aligned_; }
  [[nodiscard]] int shift() const noexcept { return shift_; }

  struct place {
    std::uint64_t chunk;
    std::uint64_t offset;  ///< in elements
  };

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t chunks() const noexcept { return first_chunk_.back(); }
  [[nodiscard]] std::uint64_t chunk_size() const noexcept { return chunk_; }
  [[nodiscard]] std::uint64_t begin(int rank) const noexcept { return begin_[index(rank)]; }
  [[nodiscard]] std::uint64_t end(int rank) const noexcept { return begin_[index(rank) + 1]; }
  [[nodiscard]] std::uint64_t first_chunk(int rank) const noexcept {
    return first_chunk_[index(rank)];
  }
  [[nodiscard]] std::uint64_t largest_part() const noexcept;

  /// The place of element i < size(). Cost: a shift where every part begins with a multiple of a
  /// chunk size that is a power of two; else a search among the ranks and a division.
  [[nodiscard, gnu::always_inline]] place find(std::uint64_t i) const noexcept {
    // Two variables instead of a place, which the compiler would keep in memory.
    std::uint64_t chunk = i >> shift_;
    std::uint64_t offset = i & mask_;
    if (!is_aligned_) [[unlikely]] {
      const place found = search(i);
      chunk = found.chunk;
      offset = found.offset;
    }
    return {chunk, offset};
  }
  [[nodiscard]] int owner(std::uint64_t i) const noexcept;
  [[nodiscard]] int owner_of_chunk(std::uint64_t chunk) const noexcept;
  /// The global index of a chunk's first element, and the number of its elements.
  [[nodiscard]] std::uint64_t begin_of_chunk(std::uint64_t chunk) const noexcept {
    return is_aligned_ ? chunk << shift_ : search_begin(chunk);
  }
  [[nodiscard]] std::uint64_t length_of_chunk(std::uint64_t chunk) const noexcept {
    return is_aligned_ ? std::min(chunk_, size_ - (chunk << shift_)) : search_length(chunk);
  }

 private:
  static std::size_t index(int rank) noexcept { return static_cast<std::size_t>(rank); }
  void number_chunks();
  [[nodiscard, gnu::cold]] place search(std::uint64_t i) const noexcept;
  [[nodiscard]] std::uint64_t search_begin(std::uint64_t chunk) const noexcept;
  [[nodiscard]] std::uint64_t search_length(std::uint64_t chunk) const noexcept;

  std::uint64_t size_ = 0;
  std::uint64_t chunk_ = 1;
  std::uint64_t mask_ = 0;  // of the offset
  int shift_ = 0;
  bool is_aligned_ = false;
  std::vector<std::uint64_t> begin_{0, 0};        // of each rank's part; then size()
  std::vector<std::uint64_t> first_chunk_{0, 0};  // of each rank's part; then their number
};

}  // namespace far::detail
