#pragma once
// A set of ids within a range that it nearly fills: one bit per id of the range, and for each word
// of bits the number of smaller members. So a member's position is found without a search.

#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace far::apps {

/// Not thread-safe. Ids given to it lie in the range.
class id_set {
 public:
  id_set() = default;
  /// An empty set of ids in [first, first + width).
  id_set(std::int64_t first, std::uint64_t width)
      : first_(static_cast<std::uint64_t>(first)), bits_(width / 64 + 1, 0) {}

  void insert(std::int64_t id) {
    const std::uint64_t at = place(id);
    bits_[at / 64] |= std::uint64_t{1} << at % 64;
  }

  [[nodiscard]] bool contains(std::int64_t id) const {
    const std::uint64_t at = place(id);
    return at / 64 < bits_.size() && (bits_[at / 64] >> at % 64 & 1) != 0;
  }

  /// The bits, to unite sets of the same range. Call seal afterwards.
  [[nodiscard]] std::span<std::uint64_t> bits() { return bits_; }

  /// Counts the members; insert nothing afterwards.
  void seal() {
    smaller_.resize(bits_.size());
    count_ = 0;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      smaller_[i] = count_;
      count_ += static_cast<std::uint64_t>(std::popcount(bits_[i]));
    }
  }

  /// Members of a sealed set.
  [[nodiscard]] std::uint64_t size() const { return count_; }

  /// How many members are smaller than `id`, which need not be one.
  [[nodiscard]] std::uint64_t position(std::int64_t id) const {
    const std::uint64_t at = place(id);
    const std::uint64_t lower = bits_[at / 64] & ((std::uint64_t{1} << at % 64) - 1);
    return smaller_[at / 64] + static_cast<std::uint64_t>(std::popcount(lower));
  }

  /// The members at positions [begin, end), ascending.
  [[nodiscard]] std::vector<std::int64_t> members(std::uint64_t begin, std::uint64_t end) const;

 private:
  [[nodiscard]] std::uint64_t place(std::int64_t id) const {
    return static_cast<std::uint64_t>(id) - first_;
  }

  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> smaller_;
};

}  // namespace far::apps
