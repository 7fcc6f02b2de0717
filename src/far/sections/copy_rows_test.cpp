#include "far/sections/copy_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace far::sections {
namespace {

TEST(sections_copy_rows_test, rows_of_every_size) {
  std::vector<std::byte> from(20'000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 37 + i / 251);
  for (const std::uint64_t bytes : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 16u, 31u, 32u, 64u, 65u, 200u}) {
    for (const std::uint64_t shift : {0u, 1u, 4u, 8u}) {
      const std::uint64_t to_stride = bytes + 8 + shift;
      const std::uint64_t from_stride = bytes + shift;
      constexpr std::uint64_t rows = 20;
      std::vector<std::byte> to(rows * to_stride + 16);
      std::vector<std::byte> expected = to;
      copy_rows(to.data() + shift, to_stride, from.data() + shift, from_stride, rows, bytes);
      for (std::uint64_t r = 0; r < rows; ++r) {
        for (std::uint64_t i = 0; i < bytes; ++i) {
          expected[shift + r * to_stride + i] = from[shift + r * from_stride + i];
        }
      }
      EXPECT_EQ(to, expected) << bytes << " bytes, shift " << shift;
    }
  }
}

}  // namespace
}  // namespace far::sections
