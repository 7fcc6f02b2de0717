#include "apps/mg/blocks.hpp"

#include <gtest/gtest.h>

#include "apps/mg/solver.hpp"
#include "far/base/error.hpp"

namespace far::apps::mg {
namespace {

TEST(mg_blocks_test, cubes_are_cut_evenly) {
  const auto expect = [](int n, int ranks, int z, int y) {
    const block_grid grid(n, ranks);
    EXPECT_EQ(grid.blocks_z(), z) << n << " among " << ranks;
    EXPECT_EQ(grid.blocks_y(), y) << n << " among " << ranks;
  };
  expect(32, 1, 1, 1);
  expect(32, 2, 2, 1);
  expect(256, 4, 4, 1);
  expect(32, 6, 3, 2);
  expect(256, 16, 4, 4);
  expect(32, 1024, 32, 32);

  const block_grid grid(32, 6);
  int cells = 0;
  for (int rank = 0; rank < 6; ++rank) {
    EXPECT_GE(grid.planes(rank, 0).size(), 10);
    EXPECT_LE(grid.planes(rank, 0).size(), 11);
    EXPECT_EQ(grid.rows(rank, 0).size(), 16);
    cells += grid.planes(rank, 0).size() * grid.rows(rank, 0).size();
    for (const direction d : directions) {
      const direction back{-d.dz, -d.dy};
      EXPECT_EQ(grid.neighbor(grid.neighbor(rank, d), back), rank);
    }
  }
  EXPECT_EQ(cells, 32 * 32);
}

TEST(mg_blocks_test, opposite_directions_are_pairs) {
  for (int d = 0; d < direction_count; ++d) {
    EXPECT_EQ(directions[opposite(d)].dz, -directions[d].dz);
    EXPECT_EQ(directions[opposite(d)].dy, -directions[d].dy);
  }
}

TEST(mg_blocks_test, impossible_cuts_are_refused) {
  EXPECT_THROW(block_grid(32, 37), bad_argument);
  EXPECT_THROW(block_grid(32, 2048), bad_argument);
  EXPECT_THROW(block_grid(4, 5), bad_argument);
}

TEST(mg_blocks_test, coarse_cells_are_where_their_centers_are) {
  for (const int ranks : {1, 2, 3, 5, 7, 12}) {
    const block_grid grid(16, ranks);
    for (int coarser = 1; coarser <= 3; ++coarser) {
      for (int rank = 0; rank < ranks; ++rank) {
        const range fine = grid.planes(rank, coarser - 1);
        const range coarse = grid.planes(rank, coarser);
        for (int c = 0; c < 16 >> coarser; ++c) {
          const bool has_center = fine.begin <= 2 * c + 1 && 2 * c + 1 < fine.end;
          EXPECT_EQ(coarse.begin <= c && c < coarse.end, has_center);
        }
      }
    }
  }
}

TEST(mg_blocks_test, every_rank_has_cells_of_cut_levels) {
  EXPECT_EQ(cut_levels(block_grid(256, 1), 256), 0);
  EXPECT_EQ(cut_levels(block_grid(256, 2), 256), 4);  // 256, 128, 64, 32
  EXPECT_EQ(cut_levels(block_grid(32, 32), 32), 1);
  for (const int ranks : {2, 3, 6, 7, 31, 64, 256, 1024}) {
    const block_grid grid(128, ranks);
    const int levels = cut_levels(grid, 128);
    ASSERT_GE(levels, 1);
    for (int i = 0; i < levels; ++i) {
      for (int rank = 0; rank < ranks; ++rank) {
        EXPECT_GT(grid.planes(rank, i).size(), 0);
        EXPECT_GT(grid.rows(rank, i).size(), 0);
      }
    }
  }
}

}  // namespace
}  // namespace far::apps::mg
