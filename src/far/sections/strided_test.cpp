#include "far/sections/strided.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <vector>

#include <gtest/gtest.h>

namespace far {
namespace {

TEST(sections_strided_test, arrays_and_their_sections) {
  const ptr<double> base(fabric::address(3, 0, 64));
  const auto all = dense(base, std::array<std::uint64_t, 3>{4, 5, 6});
  EXPECT_EQ(all.strides, (std::array<std::int64_t, 3>{30, 6, 1}));
  const auto part = section_of(all, {1, 2, 3}, {2, 2, 2});
  EXPECT_EQ(part.first, base + (30 + 12 + 3));
  EXPECT_EQ(part.extents, (std::array<std::uint64_t, 3>{2, 2, 2}));
  EXPECT_EQ(part.strides, all.strides);

  std::array<float, 12> memory{};
  EXPECT_EQ(patch(memory.data(), 3, 4), dense(memory.data(), std::array<std::uint64_t, 2>{3, 4}));
  EXPECT_EQ(patch(memory.data(), 3, 2, 4).strides, (std::array<std::int64_t, 2>{4, 1}));
}

/// The member functions of std::mdspan that count.
struct column_major {
  float* memory;
  static constexpr std::size_t rank() { return 2; }
  [[nodiscard]] float* data_handle() const { return memory; }
  [[nodiscard]] int extent(std::size_t k) const { return k == 0 ? 3 : 4; }
  [[nodiscard]] int stride(std::size_t k) const { return k == 0 ? 1 : 3; }
};

TEST(sections_strided_test, mdspans) {
  std::array<float, 12> memory{};
  const strided_span<float, 2> expected{memory.data(), {3, 4}, {1, 3}};
  EXPECT_EQ(strided_of(column_major{memory.data()}), expected);
}

TEST(sections_strided_test, elements) {
  std::array<int, 24> memory{};
  const auto all = dense(memory.data(), std::array<std::uint64_t, 3>{2, 3, 4});
  all(1, 2, 3) = 7;
  all(0, 1u, 2L) = 5;
  EXPECT_EQ(memory[23], 7);
  EXPECT_EQ(memory[6], 5);
  EXPECT_EQ(section_of(all, {1, 1, 0}, {1, 2, 4})(0, 1, 3), 7);
}

static_assert(std::ranges::random_access_range<strided_span<int, 3>>);
static_assert(std::ranges::sized_range<strided_span<const int, 2>>);
static_assert(std::ranges::borrowed_range<strided_span<int, 1>>);
static_assert(!std::ranges::range<strided_ptr<int, 2>>);

TEST(sections_strided_test, sections_are_ranges) {
  std::array<int, 60> memory{};
  std::iota(memory.begin(), memory.end(), 0);
  const auto part =
      section_of(dense(memory.data(), std::array<std::uint64_t, 3>{3, 4, 5}), {1, 1, 2}, {2, 3, 2});
  std::vector<int> expected;
  for (std::uint64_t i = 0; i < 2; ++i) {
    for (std::uint64_t j = 0; j < 3; ++j) {
      for (std::uint64_t k = 0; k < 2; ++k) expected.push_back(part(i, j, k));
    }
  }
  EXPECT_TRUE(std::ranges::equal(part, expected));
  EXPECT_TRUE(std::ranges::equal(part | std::views::reverse, expected | std::views::reverse));
  ASSERT_EQ(std::ranges::size(part), 12u);
  for (std::ptrdiff_t i = 0; i <= 12; ++i) {
    for (std::ptrdiff_t j = 0; j < 12; ++j) {
      const auto from = part.begin() + i;
      EXPECT_EQ(from[j - i], expected[static_cast<std::size_t>(j)]);
      EXPECT_EQ(part.begin() + j - from, j - i);
    }
  }
  EXPECT_EQ(*std::ranges::lower_bound(part, expected[7]), expected[7]);

  std::ranges::sort(part, std::greater<>());
  EXPECT_EQ(part(0, 0, 0), expected.back());
  std::ranges::fill(part, -1);
  EXPECT_EQ(std::ranges::count(memory, -1), 12) << "and no other element";
  const strided_span<int, 3> columns{memory.data(), {5, 4, 3}, {1, 5, 20}};  // transposed
  EXPECT_EQ(columns.begin()[1], memory[20]);
  const strided_span<int, 2> none{nullptr, {3, 0}, {1, 1}};
  EXPECT_TRUE(std::ranges::empty(none));
}

}  // namespace
}  // namespace far
