#include "far/sections/strided.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace
}  // namespace far
