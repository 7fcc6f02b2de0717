#include "apps/matmul/shape.hpp"

#include <gtest/gtest.h>

namespace far::apps::matmul {
namespace {

TEST(matmul_shape_test, grids_follow_the_shape) {
  const auto grid = [](std::uint64_t m, std::uint64_t n, int ranks) {
    return rank_grid::of({.m = m, .n = n, .k = 10}, ranks);
  };
  EXPECT_EQ(grid(100, 100, 1), (rank_grid{1, 1}));
  EXPECT_EQ(grid(100, 100, 2), (rank_grid{2, 1}));
  EXPECT_EQ(grid(100, 100, 4), (rank_grid{2, 2}));
  EXPECT_EQ(grid(100, 100, 12), (rank_grid{4, 3}));
  EXPECT_EQ(grid(1, 1000, 4), (rank_grid{1, 4}));
  EXPECT_EQ(grid(1000, 1, 4), (rank_grid{4, 1}));
  EXPECT_EQ(grid(400, 100, 4), (rank_grid{4, 1}));
  EXPECT_EQ(grid(100, 100, 7), (rank_grid{7, 1}));
}

TEST(matmul_shape_test, parts_are_even) {
  EXPECT_EQ(part(10, 3, 0), (range{0, 4}));
  EXPECT_EQ(part(10, 3, 1), (range{4, 7}));
  EXPECT_EQ(part(10, 3, 2), (range{7, 10}));
  EXPECT_EQ(part(1, 2, 1), (range{1, 1}));
}

TEST(matmul_shape_test, panels_cross_no_border) {
  for (const std::uint64_t k : {1U, 2U, 7U, 100U}) {
    for (const int a : {1, 2, 3}) {
      for (const int b : {1, 2, 5}) {
        for (const std::uint64_t width : {1U, 3U, 1000U}) {
          std::uint64_t end = 0;
          for (const range& panel : panels_of(k, a, b, width)) {
            EXPECT_EQ(panel.begin, end);
            EXPECT_GT(panel.end, panel.begin);
            EXPECT_LE(panel.size(), width);
            for (const int parts : {a, b}) {
              for (int i = 0; i < parts; ++i) {
                const std::uint64_t border = part(k, parts, i).end;
                EXPECT_FALSE(panel.begin < border && border < panel.end);
              }
            }
            end = panel.end;
          }
          EXPECT_EQ(end, k);
        }
      }
    }
  }
}

}  // namespace
}  // namespace far::apps::matmul
