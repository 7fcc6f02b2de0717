#pragma once
// How ranks divide a file: every byte has one owner, and an item (a line, a word, a k-mer) is
// read by the owner of its first byte. So each item is read exactly once, wherever the cuts are.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace far::apps {

/// Part `index` of `count` parts that together cover a file; a rank uses {rank, size}.
struct file_part {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// Bytes [begin, end).
struct byte_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
  friend bool operator==(const byte_range&, const byte_range&) = default;
};

/// One contiguous range per part, in order; sizes differ by at most one byte. For files that can
/// be read from the middle.
[[nodiscard]] constexpr byte_range contiguous_range(std::uint64_t bytes, file_part part) {
  const std::uint64_t each = bytes / part.count;
  const std::uint64_t longer = bytes % part.count;  // this many leading parts get one extra byte
  const auto begin_of = [&](std::uint64_t index) { return index * each + std::min(index, longer); };
  return {begin_of(part.index), begin_of(part.index + 1)};
}

/// Round-robin stripes: for packed files, whose unpacked length is unknown until the end. Every
/// part unpacks the whole file and keeps its stripes.
[[nodiscard]] constexpr bool owns_stripe(std::uint64_t stripe, file_part part) {
  return stripe % part.count == part.index;
}

}  // namespace far::apps
