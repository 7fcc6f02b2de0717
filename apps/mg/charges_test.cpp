#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apps/mg/problem.hpp"
#include "far/base/error.hpp"

namespace far::apps::mg {
namespace {

/// All numbers of a cube, each with its cell, from the smallest; made by exact arithmetic of wide
/// integers.
std::vector<std::pair<std::uint64_t, int>> sorted_numbers(int n) {
  __extension__ using wide = unsigned __int128;
  std::vector<std::pair<std::uint64_t, int>> numbers;
  std::uint64_t number = 314159265;
  for (int cell = 0; cell < n * n * n; ++cell) {
    const wide product = wide{number} * 1220703125;
    number = static_cast<std::uint64_t>(product % (wide{1} << 46));
    numbers.emplace_back(number, cell);
  }
  std::ranges::sort(numbers);
  return numbers;
}

TEST(mg_charges_test, agree_with_a_sorted_list) {
  for (const int n : {4, 16}) {
    const auto numbers = sorted_numbers(n);
    std::vector<charge> expected;
    const auto expect = [&](int cell, double value) {
      expected.push_back({cell / n / n, cell / n % n, cell % n, value});
    };
    for (std::size_t i = 0; i < 10; ++i) expect(numbers[numbers.size() - 1 - i].second, +1.0);
    for (std::size_t i = 0; i < 10; ++i) expect(numbers[i].second, -1.0);
    EXPECT_EQ(charges_of(n), expected) << n;
  }
}

TEST(mg_charges_test, classes_have_names) {
  EXPECT_EQ(problem_of_class("S").n(), 32);
  EXPECT_EQ(problem_of_class("w").n(), 128);
  EXPECT_EQ(problem_of_class("A").iterations, 4);
  EXPECT_EQ(problem_of_class("B").iterations, 20);
  for (const char* name : {"", "C", "SS", "1"}) {
    EXPECT_THROW((void)problem_of_class(name), bad_argument) << name;
  }
}

}  // namespace
}  // namespace far::apps::mg
