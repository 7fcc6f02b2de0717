#pragma once
// How ranks divide a file: every byte has one owner, and an item (a line, a word, a k-mer) is
// read by the owner of its first byte. So whatever the cut, each item is read exactly once.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace far::apps {

/// Share `index` of `count` that together read a file once; ranks take {rank, size}.
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

/// One contiguous range per part, in order, equal to a byte: for files that can be entered in
/// the middle.
[[nodiscard]] constexpr byte_range contiguous_range(std::uint64_t bytes, file_part part) {
  const std::uint64_t each = bytes / part.count;
  const std::uint64_t longer = bytes % part.count;  // the first parts take a byte more
  const auto begin_of = [&](std::uint64_t index) { return index * each + std::min(index, longer); };
  return {begin_of(part.index), begin_of(part.index + 1)};
}

/// Stripes dealt out in turn: for packed files, whose length nobody knows before the end. Every
/// part unpacks all of the file and keeps its stripes.
[[nodiscard]] constexpr bool owns_stripe(std::uint64_t stripe, file_part part) {
  return stripe % part.count == part.index;
}

}  // namespace far::apps
