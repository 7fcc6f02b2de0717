#include "far/sections/shape.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/sections/sections_test.hpp"

namespace far::sections {
namespace {

template <std::size_t N>
shape shape_for(const std::array<std::uint64_t, N>& extents,
                const std::array<std::int64_t, N>& there, const std::array<std::int64_t, N>& here,
                std::size_t element_bytes = 8) {
  return shape_of({"put", element_bytes, written::there, extents, there, extents, here});
}

TEST(sections_shape_test, rows_are_as_long_as_possible) {
  // Dense on both sides: one row.
  const shape whole = shape_for<3>({2, 3, 4}, {12, 4, 1}, {12, 4, 1});
  EXPECT_EQ(whole.row_bytes, 8u * 24);
  EXPECT_EQ(whole.depth, 0u);
  // Planes of a larger array: the two inner dimensions are one row, the outer ones merge.
  const shape planes = shape_for<4>({2, 3, 4, 5}, {120, 40, 5, 1}, {60, 20, 5, 1});
  EXPECT_EQ(planes.row_bytes, 8u * 20);
  ASSERT_EQ(planes.depth, 1u);
  EXPECT_EQ(planes.dimensions[0], (dimension{6, 320, 160}));
  // Extents of 1 do not count, whatever their strides.
  EXPECT_EQ(shape_for<3>({1, 7, 1}, {-5, 1, 9}, {3, 1, 0}).row_bytes, 8u * 7);
  // Transposed: single elements.
  const shape transposed = shape_for<2>({3, 4}, {1, 10}, {4, 1});
  EXPECT_EQ(transposed.row_bytes, 8u);
  EXPECT_EQ(transposed.rows(), 12u);
  EXPECT_EQ(transposed.dimensions[0], (dimension{4, 80, 8}));
  EXPECT_EQ(transposed.span_there(), 8u * (3 * 10 + 2 + 1));
  EXPECT_EQ(shape_for<2>({3, 0}, {1, 1}, {0, 0}).bytes(), 0u);
}

TEST(sections_shape_test, one_side_alone) {
  // Dense there, rows of 2 here.
  const shape both = shape_for<2>({5, 2}, {2, 1}, {9, 1});
  EXPECT_EQ(both.rows(), 5u);
  EXPECT_EQ(side_there(both).depth, 0u);
  EXPECT_EQ(side_there(both).row_bytes, 80u);
  EXPECT_EQ(side_here(both).dimensions[0], (dimension{5, 72, 16}));
}

TEST(sections_shape_test, bad_descriptions_are_refused) {
  EXPECT_THROW(shape_for<2>({2, 3}, {2, 1}, {3, 1}), bad_argument);  // rows overlap
  EXPECT_THROW(shape_for<2>({4, 3}, {2, 4}, {3, 1}), bad_argument);  // interleave and meet
  EXPECT_THROW(shape_for<1>({3}, {0}, {1}), bad_argument);
  EXPECT_THROW(shape_for<1>({3}, {-1}, {1}), bad_argument);
  EXPECT_THROW(shape_for<1>({3}, {1}, {-1}), bad_argument);
  EXPECT_THROW(shape_for<1>({3}, {1l << 61}, {1}), bad_argument);  // wraps
  EXPECT_THROW(shape_for<2>({1ul << 40, 1ul << 40}, {1l << 40, 1}, {0, 0}), bad_argument);
  EXPECT_NO_THROW(shape_for<2>({3, 2}, {2, 3}, {0, 0}));  // interleave, do not meet
  // What is only read may overlap.
  EXPECT_NO_THROW(
      (void)shape_of({"get", 8, written::here, std::array<std::uint64_t, 2>{2, 3},
                      std::array<std::int64_t, 2>{0, 0}, std::array<std::uint64_t, 2>{2, 3},
                      std::array<std::int64_t, 2>{3, 1}}));
}

/// The pairs of offsets of all bytes of a range, in order.
using pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
pairs bytes_of(const shape& of, std::uint64_t begin, std::uint64_t end) {
  pairs result;
  for_each_block(of, begin, end,
                 [&](std::uint64_t there, std::uint64_t here, std::uint64_t stride_there,
                     std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                   for (std::uint64_t r = 0; r < rows; ++r) {
                     for (std::uint64_t i = 0; i < row_bytes; ++i) {
                       result.push_back({there + r * stride_there + i, here + r * stride_here + i});
                     }
                   }
                 });
  return result;
}

TEST(sections_shape_test, ranges_of_the_stream_join) {
  base::random random(5);
  for (int round = 0; round < 200; ++round) {
    const auto c = test::random_section<4>(random, 4);
    const shape both = shape_for<4>(c.extents, c.strides_there, c.strides_here, 3);
    const pairs all = bytes_of(both, 0, both.bytes());
    ASSERT_EQ(all.size(), both.bytes());
    pairs sorted = all;
    pairs expected;
    test::for_each_element(c, [&](std::size_t there, std::size_t here) {
      const std::uint64_t t = (there - static_cast<std::uint64_t>(c.first_there)) * 3;
      const std::uint64_t h = (here - static_cast<std::uint64_t>(c.first_here)) * 3;
      for (std::uint64_t i = 0; i < 3; ++i) expected.push_back({t + i, h + i});
    });
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(sorted, expected);
    pairs joined;
    for (std::uint64_t at = 0; at < both.bytes();) {
      const std::uint64_t next = std::min(both.bytes(), at + 1 + random.below(20));
      const pairs part = bytes_of(both, at, next);
      joined.insert(joined.end(), part.begin(), part.end());
      at = next;
    }
    ASSERT_EQ(joined, all);
  }
}

}  // namespace
}  // namespace far::sections
