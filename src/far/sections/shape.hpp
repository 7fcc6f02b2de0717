#pragma once
// The shape of a section transfer, in bytes: rows that are contiguous on both sides, in nested
// dimensions. All layers below the public templates use this form.
//
// The bytes of a shape have an order, the *stream*: row after row, the last dimension fastest. Both
// sides agree on it, so a part of a transfer is a range of the stream, and a message carries one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "far/base/language.hpp"
#include "far/sections/strided.hpp"

namespace far::sections {

/// One dimension; strides in bytes. `there` is the remote side, `here` this process.
struct dimension {
  std::uint64_t count = 0;
  std::uint64_t there = 0;
  std::uint64_t here = 0;

  friend bool operator==(const dimension&, const dimension&) = default;
};

struct shape {
  std::uint64_t row_bytes = 0;  ///< contiguous on both sides; 0: nothing to move
  std::uint32_t depth = 0;      ///< number of dimensions around a row
  std::array<dimension, max_section_dimensions> dimensions{};  ///< outermost first

  [[nodiscard]] std::uint64_t rows() const noexcept {
    std::uint64_t product = 1;
    for (std::uint32_t k = 0; k < depth; ++k) product *= dimensions[k].count;
    return row_bytes == 0 ? 0 : product;
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return row_bytes * rows(); }
  /// From the first byte to the last, on either side.
  [[nodiscard]] std::uint64_t span_there() const noexcept { return span_of(&dimension::there); }
  [[nodiscard]] std::uint64_t span_here() const noexcept { return span_of(&dimension::here); }

 private:
  [[nodiscard]] std::uint64_t span_of(std::uint64_t dimension::*stride) const noexcept {
    if (row_bytes == 0) return 0;
    std::uint64_t sum = row_bytes;
    for (std::uint32_t k = 0; k < depth; ++k) {
      sum += (dimensions[k].count - 1) * dimensions[k].*stride;
    }
    return sum;
  }
};

/// Which side of a transfer is written.
enum class written : std::uint8_t { there, here };

/// A transfer as its caller has described it: extents and strides in elements, of both sides.
struct description {
  const char* what;  ///< "put", for messages
  std::size_t element_bytes;
  written target;
  std::span<const std::uint64_t> extents_there;
  std::span<const std::int64_t> strides_there;
  std::span<const std::uint64_t> extents_here;
  std::span<const std::int64_t> strides_here;
};

/// Checks the description and finds the longest rows: dimensions are ordered by their remote
/// stride, and merged where both sides are contiguous.
/// Cost: some 10 ns; where dimensions of the written side interleave, so that only the list of all
///   elements tells whether two coincide, also a sort of them.
/// Errors: bad_argument for extents that differ, negative strides, elements of the written side
///   that overlap, and sizes beyond 2^62 bytes.
/// Checked by: sections_shape_test.rows_are_as_long_as_possible,
/// sections_shape_test.bad_descriptions_are_refused
[[nodiscard]] shape shape_of(const description& from);

/// The remote side alone: `here` becomes the position in the stream. Its rows may be longer.
/// Checked by: sections_shape_test.one_side_alone
[[nodiscard]] shape side_there(const shape& both);
/// The local side alone, as `there`.
[[nodiscard]] shape side_here(const shape& both);

/// Checks a shape that has arrived in a message: its spans are at most 2^62 bytes, no count is 0.
[[nodiscard]] bool is_sound(const shape& arrived) noexcept;

/// Calls block(there, here, stride_there, stride_here, rows, row_bytes) for the bytes begin ..
/// end-1 of the stream, in order. `there` and `here` are offsets in bytes from the first element. A
/// block is `rows` rows, so that the callee can loop over them without a call each.
template <class Block>
void for_each_block(const shape& of, std::uint64_t begin, std::uint64_t end, Block&& block) {
  if (begin >= end) return;
  if (of.depth == 0) return block(begin, begin, 0, 0, 1, end - begin);
  const std::uint32_t last = of.depth - 1;
  const dimension inner = of.dimensions[last];
  std::array<std::uint64_t, max_section_dimensions> index{};
  std::uint64_t there = 0;
  std::uint64_t here = 0;
  std::uint64_t in_row = begin % of.row_bytes;
  if (begin != 0) {
    std::uint64_t row = begin / of.row_bytes;
    for (std::uint32_t k = of.depth; k-- > 0; row /= of.dimensions[k].count) {
      index[k] = row % of.dimensions[k].count;
      there += index[k] * of.dimensions[k].there;
      here += index[k] * of.dimensions[k].here;
    }
  }
  const auto advance = [&](std::uint64_t rows) {
    index[last] += rows;
    there += rows * inner.there;
    here += rows * inner.here;
    for (std::uint32_t k = last; k > 0 && index[k] == of.dimensions[k].count; --k) {
      there += of.dimensions[k - 1].there - index[k] * of.dimensions[k].there;
      here += of.dimensions[k - 1].here - index[k] * of.dimensions[k].here;
      index[k] = 0;
      ++index[k - 1];
    }
  };
  while (begin < end) {
    const std::uint64_t left = end - begin;
    if (in_row != 0 || left < of.row_bytes) {
      const std::uint64_t bytes = left < of.row_bytes - in_row ? left : of.row_bytes - in_row;
      block(there + in_row, here + in_row, 0, 0, 1, bytes);
      begin += bytes;
      in_row = 0;
      advance(1);
      continue;
    }
    const std::uint64_t whole = left / of.row_bytes;
    const std::uint64_t rows =
        whole < inner.count - index[last] ? whole : inner.count - index[last];
    block(there, here, inner.there, inner.here, rows, of.row_bytes);
    begin += rows * of.row_bytes;
    advance(rows);
  }
}

}  // namespace far::sections
