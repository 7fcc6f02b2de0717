// Operations on blocks, compared with plain loops.

#include "apps/lu/kernels.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "apps/lu/grid.hpp"

namespace far::apps::lu {
namespace {

using numbers = std::vector<double>;

numbers random_block(std::mt19937& random, std::size_t rows, std::size_t columns) {
  std::uniform_real_distribution<double> any(-1, 1);
  numbers block(rows * columns);
  for (double& x : block) x = any(random);
  return block;
}

numbers product(const numbers& a, const numbers& b, std::size_t rows, std::size_t inner,
                std::size_t columns) {
  numbers c(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < inner; ++k) {
        c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
      }
    }
  }
  return c;
}

void expect_near(const numbers& found, const numbers& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10) << i;
}

class lu_kernels_test : public ::testing::TestWithParam<std::size_t> {
 protected:
  /// A factored block of n rows.
  numbers factored(std::size_t n) {
    numbers a = random_block(random, n, n);
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] += static_cast<double>(n);
    original = a;
    factor(a.data(), n);
    lower = numbers(n * n);
    upper = numbers(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) (j < i ? lower : upper)[i * n + j] = a[i * n + j];
      lower[i * n + i] = 1;
    }
    return a;
  }

  std::mt19937 random{7};
  numbers original;
  numbers lower;
  numbers upper;
};

TEST_P(lu_kernels_test, factors_multiply_to_the_block) {
  const std::size_t n = GetParam();
  (void)factored(n);
  expect_near(product(lower, upper, n, n, n), original);
}

TEST_P(lu_kernels_test, solutions_multiply_to_the_right_side) {
  const std::size_t n = GetParam();
  const numbers triangles = factored(n);
  for (const std::size_t others : {std::size_t{1}, std::size_t{5}, n}) {
    const numbers columns = random_block(random, n, others);
    numbers x = columns;
    solve_lower(triangles.data(), n, x.data(), others);
    expect_near(product(lower, x, n, n, others), columns);

    const numbers rows = random_block(random, others, n);
    numbers y = rows;
    solve_upper(triangles.data(), n, y.data(), others);
    expect_near(product(y, upper, others, n, n), rows);
  }
}

TEST_P(lu_kernels_test, products_are_subtracted) {
  const std::size_t n = GetParam();
  for (const std::size_t rows : {std::size_t{1}, std::size_t{6}, n}) {
    for (const std::size_t columns : {std::size_t{3}, std::size_t{17}, n}) {
      const numbers a = random_block(random, rows, n);
      const numbers b = random_block(random, n, columns);
      numbers c = random_block(random, rows, columns);
      numbers expected = product(a, b, rows, n, columns);
      for (std::size_t i = 0; i < c.size(); ++i) expected[i] = c[i] - expected[i];
      subtract_product(c.data(), a.data(), b.data(), rows, n, columns);
      expect_near(c, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of, lu_kernels_test,
                         ::testing::Values(std::size_t{1}, std::size_t{2}, std::size_t{7},
                                           std::size_t{16}, std::size_t{33}));

TEST(lu_grid_test, owners_have_equal_shares) {
  const grid places(100, 10, 6);
  std::vector<std::uint64_t> owned(6);
  for (std::uint64_t i = 0; i < places.blocks(); ++i) {
    for (std::uint64_t j = 0; j < places.blocks(); ++j) ++owned.at(places.owner(i, j));
  }
  for (const std::uint64_t count : owned) {
    EXPECT_GE(count, 12U);
    EXPECT_LE(count, places.blocks_of_worker());
  }
  EXPECT_EQ(places.blocks_of_worker(), 20U);
  EXPECT_EQ(grid(95, 10, 1).extent(9), 5U);
}

}  // namespace
}  // namespace far::apps::lu
