#include "far/sections/accumulate_rows.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace far::sections {
namespace {

template <class T>
void add(const T& a, std::vector<T>& y, std::uint64_t y_stride, const std::vector<T>& x,
         std::uint64_t x_stride, std::uint64_t rows, std::uint64_t columns) {
  accumulate_rows(scaling::by<T>(a), reinterpret_cast<std::byte*>(y.data()), y_stride * sizeof(T),
                  reinterpret_cast<const std::byte*>(x.data()), x_stride * sizeof(T), rows,
                  columns * sizeof(T));
}

template <class T>
void every_length() {
  for (std::uint64_t columns = 1; columns < 40; ++columns) {
    for (const T a : {T(1), T(-2), T(3)}) {
      constexpr std::uint64_t rows = 3;
      std::vector<T> y((columns + 2) * rows);
      std::vector<T> x((columns + 1) * rows);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = T(static_cast<float>(i % 7));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(static_cast<float>(i % 5));
      std::vector<T> expected = y;
      for (std::uint64_t r = 0; r < rows; ++r) {
        for (std::uint64_t i = 0; i < columns; ++i) {
          expected[r * (columns + 2) + i] += a * x[r * (columns + 1) + i];
        }
      }
      add(a, y, columns + 2, x, columns + 1, rows, columns);
      ASSERT_EQ(y, expected) << columns;
    }
  }
}

TEST(sections_accumulate_rows_test, every_type) {
  every_length<int>();
  every_length<long>();
  every_length<long long>();
  every_length<float>();
  every_length<double>();
  every_length<std::complex<float>>();
  every_length<std::complex<double>>();
}

TEST(sections_accumulate_rows_test, complex_factors_and_wrapping_integers) {
  using number = std::complex<double>;
  std::vector<number> y{{1, 2}, {3, 4}};
  add<number>({0, 2}, y, 2, {{5, 6}, {7, -1}}, 2, 1, 2);
  EXPECT_EQ(y, (std::vector<number>{{1 - 12, 2 + 10}, {3 + 2, 4 + 14}}));
  std::vector<int> limit{std::numeric_limits<int>::max()};
  add<int>(1, limit, 1, {1}, 1, 1, 1);
  EXPECT_EQ(limit[0], std::numeric_limits<int>::min());
}

}  // namespace
}  // namespace far::sections
