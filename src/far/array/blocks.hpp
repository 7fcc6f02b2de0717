#pragma once
// Which rank holds which element: blocks of equal length, one per rank in rank order.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "far/base/function_ref.hpp"
#include "far/base/language.hpp"
#include "far/world/world.hpp"

namespace far::detail {

[[noreturn]] void throw_index(std::uint64_t index, std::uint64_t size);
[[noreturn]] void throw_range(std::uint64_t first, std::uint64_t count, std::uint64_t size);
[[nodiscard]] std::uint64_t shape_of(std::uint64_t size, std::size_t element_bytes) noexcept;
/// "an array of 10 elements of 8 bytes"
[[nodiscard]] std::string array_in_words(std::uint64_t size, std::size_t element_bytes);
/// Collective, before anything is allocated: ranks that allocate different sizes would get
/// different places. `fingerprint` is of all that must be the same; `what` is "an array of ...".
/// Errors: bad_argument, on every rank, unless it is.
/// Cost: an allreduce.
void agree_on_shape(const world& world, std::uint64_t fingerprint,
                    base::function_ref<std::string()> what);
/// Errors: bad_argument unless there are as many places as indices.
void check_places(std::size_t indices, std::size_t places);

/// n elements over `ranks` ranks: rank r holds [r B, min((r + 1) B, n)), B = ceil(n / ranks). The
/// last ranks may hold fewer, or none.
/// Checked by: blocks_test.every_index_has_one_owner, blocks_test.division_is_exact
class blocks {
 public:
  blocks() = default;
  blocks(std::uint64_t size, int ranks) noexcept
      : size_(size),
        block_(std::max<std::uint64_t>(size / static_cast<unsigned>(ranks) +
                                           (size % static_cast<unsigned>(ranks) != 0 ? 1 : 0),
                                       1)) {
    // q = index * R / 2^(64 + s), with R = 2^(64 + s) / B, rounded up, 2^63 <= R < 2^64: the error
    // of R is below B <= 2^(s + 1) parts of 2^(64 + s), so q is exact for every index below 2^63.
    // For B = 1, R does not fit; (index + 1) * (2^64 - 1) / 2^64 is the index.
    if (block_ == 1) return;
    shift_ = static_cast<int>(std::bit_width(block_ - 1)) - 1;
    __extension__ using wide = unsigned __int128;
    reciprocal_ = static_cast<std::uint64_t>(((wide{1} << (64 + shift_)) + block_ - 1) / block_);
    added_ = 0;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t block() const noexcept { return block_; }
  [[nodiscard]] std::uint64_t begin(int rank) const noexcept {
    // Compared before the multiplication, because the product may overflow for an empty rank.
    const auto r = static_cast<std::uint64_t>(rank);
    return r > size_ / block_ ? size_ : std::min(r * block_, size_);
  }
  [[nodiscard]] std::uint64_t end(int rank) const noexcept { return begin(rank + 1); }

  struct place {
    int rank;
    std::uint64_t offset;
  };
  /// The rank of element `index` < size() < 2^63. Cost: a multiplication and a shift.
  [[nodiscard]] std::uint64_t rank_of(std::uint64_t index) const noexcept {
    __extension__ using wide = unsigned __int128;
    const wide product = static_cast<wide>(index + added_) * reciprocal_;
    return static_cast<std::uint64_t>(product >> 64) >> shift_;
  }
  /// The place of element `index` < size() < 2^63. Cost: two multiplications, no division.
  [[nodiscard]] place find(std::uint64_t index) const noexcept {
    const std::uint64_t rank = rank_of(index);
    return {static_cast<int>(rank), index - rank * block_};
  }

  void check(std::uint64_t index) const {
    if (index >= size_) [[unlikely]]
      throw_index(index, size_);
  }
  void check(std::uint64_t first, std::uint64_t count) const {
    if (count > size_ || first > size_ - count) [[unlikely]]
      throw_range(first, count, size_);
  }

 private:
  std::uint64_t size_ = 0;
  std::uint64_t block_ = 1;
  std::uint64_t reciprocal_ = ~std::uint64_t{0};
  std::uint64_t added_ = 1;
  int shift_ = 0;
};

}  // namespace far::detail
