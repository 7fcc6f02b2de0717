#include "far/array/nd/block_grid.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/array/nd/ghosts.hpp"
#include "far/array/nd/section.hpp"
#include "far/base/error.hpp"

namespace far {
namespace {

using detail::block_grid;

TEST(nd_section_test, intersections) {
  const section<2> a{{2, 3}, {4, 5}};
  EXPECT_EQ(intersection(a, section<2>{{0, 0}, {10, 10}}), a);
  EXPECT_EQ(intersection(a, section<2>{{4, 0}, {10, 4}}), (section<2>{{4, 3}, {2, 1}}));
  EXPECT_TRUE(intersection(a, section<2>{{6, 3}, {4, 5}}).empty());
  EXPECT_TRUE(intersection(a, section<2>{{3, 4}, {0, 1}}).empty());
  EXPECT_EQ(a.size(), 20u);
  EXPECT_TRUE(a.contains({5, 7}));
  EXPECT_FALSE(a.contains({6, 7}));
  EXPECT_FALSE(a.contains({5, 2}));
}

TEST(block_grid_test, chosen_grids_are_even) {
  const auto chosen = [](std::vector<std::uint64_t> extents, int ranks,
                         std::vector<std::uint64_t> blocks = {}) {
    blocks.resize(extents.size());
    detail::choose_blocks(blocks, extents, ranks);
    return blocks;
  };
  using list = std::vector<std::uint64_t>;
  EXPECT_EQ(chosen({100, 100}, 4), (list{2, 2}));
  EXPECT_EQ(chosen({1000, 10}, 4), (list{4, 1}));
  EXPECT_EQ(chosen({10, 1000}, 6), (list{1, 6}));
  EXPECT_EQ(chosen({64, 64, 64}, 8), (list{2, 2, 2}));
  EXPECT_EQ(chosen({2, 3}, 6), (list{2, 3}));
  EXPECT_EQ(chosen({7}, 5), (list{5}));
  EXPECT_EQ(chosen({100, 100}, 6, {3, 0}), (list{3, 2}));
  EXPECT_EQ(chosen({100, 100}, 7, {3, 0}), (list{3, 2}));
  EXPECT_EQ(chosen({0, 5}, 4), chosen({0, 5}, 4));
  EXPECT_THROW((void)chosen({10, 10}, 5, {3, 2}), bad_argument);
}

template <std::size_t N>
void expect_partition(const block_grid<N>& grid, int ranks) {
  std::uint64_t seen = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const section<N> block = grid.block(rank);
    for_each_index(block, [&](const nd_index<N>& index) {
      EXPECT_EQ(grid.owner(index), rank);
      ++seen;
    });
  }
  EXPECT_EQ(seen, grid.all().size());
}

TEST(block_grid_test, every_element_has_one_owner) {
  for (int ranks = 1; ranks <= 12; ++ranks) {
    expect_partition(block_grid<1>({7}, ranks, {}), ranks);
    expect_partition(block_grid<2>({5, 9}, ranks, {}), ranks);
    expect_partition(block_grid<3>({3, 1, 8}, ranks, {}), ranks);
    expect_partition(block_grid<2>({0, 4}, ranks, {}), ranks);
  }
  nd_array_options<2> stated;
  stated.begins[0] = {0, 1, 1, 6};  // one block is empty
  stated.begins[1] = {0, 0, 3};
  expect_partition(block_grid<2>({9, 4}, 13, stated), 13);
}

TEST(block_grid_test, sections_are_cut_at_blocks) {
  nd_array_options<2> how;
  how.begins[0] = {0, 3};
  how.begins[1] = {0, 2, 2, 7};
  const block_grid<2> grid({6, 10}, 8, how);
  std::vector<section<2>> parts;
  std::vector<int> ranks;
  grid.for_each_part({{2, 1}, {3, 9}}, [&](int rank, const section<2>& part) {
    ranks.push_back(rank);
    parts.push_back(part);
  });
  EXPECT_EQ(ranks, (std::vector<int>{0, 2, 3, 4, 6, 7}));
  EXPECT_EQ(parts[0], (section<2>{{2, 1}, {1, 1}}));
  EXPECT_EQ(parts[1], (section<2>{{2, 2}, {1, 5}}));
  EXPECT_EQ(parts[5], (section<2>{{3, 7}, {2, 3}}));
  grid.for_each_part({{2, 1}, {0, 9}}, [&](int, const section<2>&) { ADD_FAILURE(); });
}

TEST(block_grid_test, bad_begins_are_refused) {
  const auto make = [](std::vector<std::uint64_t> begins) {
    nd_array_options<1> how;
    how.begins[0] = std::move(begins);
    return block_grid<1>({10}, 4, how);
  };
  EXPECT_NO_THROW((void)make({0, 10, 10}));
  EXPECT_THROW((void)make({1, 4}), bad_argument);
  EXPECT_THROW((void)make({0, 5, 4}), bad_argument);
  EXPECT_THROW((void)make({0, 11}), bad_argument);
  EXPECT_THROW((void)make({0, 1, 2, 3, 4}), bad_argument);
  EXPECT_THROW(
      (void)detail::bytes_of_extents(std::array<std::uint64_t, 2>{1ull << 31, 1ull << 31}, 8),
      bad_argument);
  EXPECT_EQ(detail::bytes_of_extents(std::array<std::uint64_t, 3>{1ull << 40, 0, 1ull << 40}, 8),
            0u);
}

TEST(ghosts_test, ranges_of_a_dimension) {
  const auto cells = [](std::uint64_t begin, std::uint64_t count, std::uint64_t width,
                        std::uint64_t extent, bool periodic) {
    std::vector<int> result(static_cast<std::size_t>(count + 2 * width), -1);
    for (const auto& range : detail::ghost_ranges(begin, count, width, extent, periodic)) {
      for (std::uint64_t i = 0; i < range.count; ++i) {
        int& cell = result[static_cast<std::size_t>(range.to + i)];
        EXPECT_EQ(cell, -1);
        cell = static_cast<int>(range.first + i);
        EXPECT_EQ(range.inside, range.to >= width && range.to < width + count);
      }
    }
    return result;
  };
  EXPECT_EQ(cells(3, 2, 1, 8, false), (std::vector{2, 3, 4, 5}));
  EXPECT_EQ(cells(0, 2, 2, 8, false), (std::vector{-1, -1, 0, 1, 2, 3}));
  EXPECT_EQ(cells(6, 2, 2, 8, false), (std::vector{4, 5, 6, 7, -1, -1}));
  EXPECT_EQ(cells(0, 2, 2, 8, true), (std::vector{6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(cells(6, 2, 2, 8, true), (std::vector{4, 5, 6, 7, 0, 1}));
  EXPECT_EQ(cells(0, 2, 3, 2, true), (std::vector{1, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(cells(1, 1, 5, 3, true), (std::vector{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(cells(1, 1, 0, 3, true), (std::vector{1}));
}

}  // namespace
}  // namespace far
