#pragma once
// What one transfer moves between this process and one rank: a section, or a list of pieces. All
// protocols work on a plan.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/sections/shape.hpp"

namespace far::sections {

/// A part of a list that is contiguous on both sides.
struct piece {
  fabric::address there;
  std::byte* here = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t at = 0;  ///< position in the stream of the list
};

/// A transfer to or from one rank. Of a put and an accumulate, `here` is only read.
class plan {
 public:
  plan(fabric::address there, std::byte* here, const shape& form) noexcept
      : there_(there), here_(here), form_(form), bytes_(form.bytes()) {}
  /// Pieces of one rank, in the order of the stream, none of them empty.
  explicit plan(std::vector<piece> pieces) noexcept : pieces_(std::move(pieces)) {
    if (pieces_.empty()) return;
    there_ = pieces_.front().there;
    bytes_ = pieces_.back().at + pieces_.back().bytes;
  }

  [[nodiscard]] int rank() const noexcept { return there_.rank(); }
  [[nodiscard]] fabric::address there() const noexcept { return there_; }
  /// The local side of a section.
  [[nodiscard]] std::byte* here() const noexcept { return here_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool is_list() const noexcept { return !pieces_.empty(); }
  [[nodiscard]] const shape& form() const noexcept { return form_; }
  [[nodiscard]] const std::vector<piece>& pieces() const noexcept { return pieces_; }
  /// Parts that are contiguous on both sides.
  [[nodiscard]] std::uint64_t segments() const noexcept {
    return is_list() ? pieces_.size() : form_.rows();
  }

  /// block(there, here, stride_there, stride_here, rows, row_bytes) for the bytes begin .. end-1 of
  /// the stream, in order.
  template <class Block>
  void for_each_block(std::uint64_t begin, std::uint64_t end, Block&& block) const {
    if (!is_list()) {
      sections::for_each_block(
          form_, begin, end,
          [&](std::uint64_t there, std::uint64_t here, std::uint64_t stride_there,
              std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
            block(there_ + static_cast<std::int64_t>(there), here_ + here, stride_there,
                  stride_here, rows, row_bytes);
          });
      return;
    }
    for (auto p = first_behind(begin); p != pieces_.end() && p->at < end; ++p) {
      const std::uint64_t skipped = begin > p->at ? begin - p->at : 0;
      const std::uint64_t bytes = std::min(p->bytes, end - p->at) - skipped;
      block(p->there + static_cast<std::int64_t>(skipped), p->here + skipped, 0, 0, 1, bytes);
    }
  }

  /// The same with each row by itself: row(there, here, bytes).
  template <class Row>
  void for_each_row(std::uint64_t begin, std::uint64_t end, Row&& row) const {
    for_each_block(begin, end,
                   [&](fabric::address there, std::byte* here, std::uint64_t stride_there,
                       std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                     for (std::uint64_t i = 0; i < rows; ++i) {
                       row(there + static_cast<std::int64_t>(i * stride_there),
                           here + i * stride_here, row_bytes);
                     }
                   });
  }

  /// Where in the stream `count` more segments end, from `begin` on, which begins one.
  [[nodiscard]] std::uint64_t end_of_segments(std::uint64_t begin, std::uint64_t count) const {
    if (!is_list()) {
      const std::uint64_t left = (bytes_ - begin) / form_.row_bytes;
      return begin + std::min(count, left) * form_.row_bytes;
    }
    const auto first = first_behind(begin);
    const auto left = static_cast<std::uint64_t>(pieces_.end() - first);
    const piece& last = first[static_cast<std::ptrdiff_t>(std::min(count, left)) - 1];
    return last.at + last.bytes;
  }

 private:
  [[nodiscard]] std::vector<piece>::const_iterator first_behind(std::uint64_t begin) const {
    return std::upper_bound(
        pieces_.begin(), pieces_.end(), begin,
        [](std::uint64_t position, const piece& p) { return position < p.at + p.bytes; });
  }

  fabric::address there_;
  std::byte* here_ = nullptr;
  shape form_;
  std::uint64_t bytes_ = 0;
  std::vector<piece> pieces_;
};

}  // namespace far::sections
