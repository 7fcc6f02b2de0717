#pragma once
// Which rank holds which block of an N-dimensional array: a grid of blocks, cut in every dimension.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "far/array/nd/section.hpp"
#include "far/base/hash.hpp"

namespace far {

/// How an N-dimensional array is distributed.
template <std::size_t N>
struct nd_array_options {
  /// The number of blocks in each dimension; 0: chosen, so that the largest block is as small as
  /// possible, and then its surface. The product is at most the number of ranks.
  std::array<std::uint64_t, N> blocks{};
  /// Where the blocks of a dimension begin: the first at 0, ascending. Empty: blocks of even
  /// lengths. Stated begins also state the number of blocks.
  std::array<std::vector<std::uint64_t>, N> begins{};
  /// The width of the ghost cells on both sides of each block.
  std::array<std::uint64_t, N> ghosts{};
  /// Whether the neighbor of a dimension's last element is its first one, for update_ghosts.
  std::array<bool, N> periodic{};
};

namespace detail {

/// Completes `blocks` (0: to be chosen) for so many ranks.
/// Errors: bad_argument if there are more blocks than ranks.
/// Checked by: block_grid_test.chosen_grids_are_even
void choose_blocks(std::span<std::uint64_t> blocks, std::span<const std::uint64_t> extents,
                   int ranks);
/// Begins of `blocks` blocks whose lengths differ by at most 1, and the end of the last.
[[nodiscard]] std::vector<std::uint64_t> even_begins(std::uint64_t extent, std::uint64_t blocks);
/// Errors: bad_argument if the first does not begin at 0, or they descend or pass the extent.
void check_begins(std::span<const std::uint64_t> begins, std::uint64_t extent,
                  std::size_t dimension);
/// Errors: bad_argument if a block with such ghost cells on both sides could not be addressed.
void check_ghosts(std::span<const std::uint64_t> ghosts, std::span<const std::uint64_t> extents);
/// The number of elements, times their bytes. Errors: bad_argument beyond 2^62.
[[nodiscard]] std::uint64_t bytes_of_extents(std::span<const std::uint64_t> extents,
                                             std::uint64_t element_bytes);
[[noreturn]] void throw_outside(const char* what, std::span<const std::uint64_t> begin,
                                std::span<const std::uint64_t> extents,
                                std::span<const std::uint64_t> array);
[[noreturn]] void throw_buffer(const char* what, std::span<const std::uint64_t> section,
                               std::span<const std::uint64_t> buffer);
[[noreturn]] void throw_arrays(const char* what, std::span<const std::uint64_t> first,
                               std::span<const std::uint64_t> second);
/// "3 x 4 x 5"
[[nodiscard]] std::string in_words(std::span<const std::uint64_t> extents);

/// The blocks of an array. Block (c0, ..., cN-1) belongs to the rank with that number in row-major
/// order; ranks beyond the last block have none. The same on all ranks, computed without messages.
template <std::size_t N>
class block_grid {
 public:
  block_grid() = default;
  /// Errors: bad_argument for options that do not fit the extents, or each other.
  block_grid(const std::array<std::uint64_t, N>& extents, int ranks, nd_array_options<N> how)
      : extents_(extents), ghosts_(how.ghosts), periodic_(how.periodic), blocks_(how.blocks) {
    check_ghosts(ghosts_, extents_);
    for (std::size_t k = 0; k < N; ++k) {
      if (how.begins[k].empty()) continue;
      check_begins(how.begins[k], extents[k], k);
      blocks_[k] = how.begins[k].size();
    }
    choose_blocks(blocks_, extents, ranks);
    for (std::size_t k = 0; k < N; ++k) {
      begins_[k] = std::move(how.begins[k]);
      if (begins_[k].empty()) {
        begins_[k] = even_begins(extents[k], blocks_[k]);
      } else {
        begins_[k].push_back(extents[k]);
      }
    }
  }

  [[nodiscard]] const std::array<std::uint64_t, N>& extents() const noexcept { return extents_; }
  [[nodiscard]] const std::array<std::uint64_t, N>& ghosts() const noexcept { return ghosts_; }
  [[nodiscard]] const std::array<bool, N>& periodic() const noexcept { return periodic_; }
  /// The number of blocks in each dimension.
  [[nodiscard]] const std::array<std::uint64_t, N>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] section<N> all() const noexcept { return {{}, extents_}; }

  /// The elements of a rank; empty if it has none.
  /// Checked by: block_grid_test.every_element_has_one_owner
  [[nodiscard]] section<N> block(int rank) const {
    nd_index<N> at{};
    auto rest = static_cast<std::uint64_t>(rank);
    for (std::size_t k = N; k-- > 0;) {
      at[k] = rest % blocks_[k];
      rest /= blocks_[k];
    }
    return rest == 0 ? block_at(at) : section<N>{};
  }
  /// Checked by: block_grid_test.every_element_has_one_owner
  [[nodiscard]] int owner(const nd_index<N>& index) const {
    nd_index<N> at{};
    for (std::size_t k = 0; k < N; ++k) at[k] = find(k, index[k]);
    return rank_at(at);
  }
  /// Calls f(rank, part) for the part of a section that each rank holds, in the order of ranks.
  /// Checked by: block_grid_test.sections_are_cut_at_blocks
  template <class F>
  void for_each_part(const section<N>& of, F f) const {
    if (of.empty()) return;
    section<N> touched;  // blocks
    for (std::size_t k = 0; k < N; ++k) {
      touched.begin[k] = find(k, of.begin[k]);
      touched.extents[k] = find(k, of.begin[k] + of.extents[k] - 1) - touched.begin[k] + 1;
    }
    for_each_index(touched, [&](const nd_index<N>& at) {
      const section<N> part = intersection(of, block_at(at));
      if (!part.empty()) f(rank_at(at), part);
    });
  }

  /// Elements of the memory of a block, with its ghost cells.
  [[nodiscard]] std::array<std::uint64_t, N> stored_extents(const section<N>& block) const {
    std::array<std::uint64_t, N> result = block.extents;
    for (std::size_t k = 0; k < N; ++k) result[k] += 2 * ghosts_[k];
    return result;
  }
  /// The largest such memory of any rank.
  [[nodiscard]] std::array<std::uint64_t, N> max_stored_extents() const {
    section<N> largest;
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t j = 0; j + 1 < begins_[k].size(); ++j) {
        largest.extents[k] = std::max(largest.extents[k], begins_[k][j + 1] - begins_[k][j]);
      }
    }
    return largest.empty() ? largest.extents : stored_extents(largest);
  }

  void check(const char* what, const section<N>& of) const {
    for (std::size_t k = 0; k < N; ++k) {
      if (of.extents[k] > extents_[k] || of.begin[k] > extents_[k] - of.extents[k]) [[unlikely]]
        throw_outside(what, of.begin, of.extents, extents_);
    }
  }
  void check(const char* what, const nd_index<N>& index) const {
    for (std::size_t k = 0; k < N; ++k) {
      if (index[k] >= extents_[k]) [[unlikely]]
        throw_outside(what, index, {}, extents_);
    }
  }

  /// Equal on all ranks if the grids and the elements' sizes are.
  [[nodiscard]] std::uint64_t fingerprint(std::size_t element_bytes) const noexcept {
    std::uint64_t result = element_bytes;
    for (std::size_t k = 0; k < N; ++k) {
      result = base::hash_combine(result, ghosts_[k]);
      for (const std::uint64_t begin : begins_[k]) result = base::hash_combine(result, begin);
    }
    return result;
  }

  friend bool operator==(const block_grid&, const block_grid&) = default;

 private:
  [[nodiscard]] section<N> block_at(const nd_index<N>& at) const {
    section<N> result;
    for (std::size_t k = 0; k < N; ++k) {
      const std::uint64_t first = begins_[k][static_cast<std::size_t>(at[k])];
      result.begin[k] = first;
      result.extents[k] = begins_[k][static_cast<std::size_t>(at[k]) + 1] - first;
    }
    return result;
  }
  [[nodiscard]] int rank_at(const nd_index<N>& at) const noexcept {
    std::uint64_t rank = 0;
    for (std::size_t k = 0; k < N; ++k) rank = rank * blocks_[k] + at[k];
    return static_cast<int>(rank);
  }
  /// The number of the block with this index: the last one that does not begin behind it, so one
  /// that is not empty.
  [[nodiscard]] std::uint64_t find(std::size_t k, std::uint64_t index) const {
    const auto after = std::ranges::upper_bound(begins_[k], index);
    return static_cast<std::uint64_t>(after - begins_[k].begin()) - 1;
  }

  std::array<std::uint64_t, N> extents_{};
  std::array<std::uint64_t, N> ghosts_{};
  std::array<bool, N> periodic_{};
  std::array<std::uint64_t, N> blocks_{};
  std::array<std::vector<std::uint64_t>, N> begins_{};  // and the end of the last
};

}  // namespace detail
}  // namespace far
