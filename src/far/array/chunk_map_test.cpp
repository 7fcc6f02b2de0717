#include "far/array/chunk_map.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"

namespace {

using far::detail::chunk_map;

/// Every element is in the chunk that a walk through all parts gives it.
void check(const chunk_map& map, int ranks) {
  std::uint64_t chunk = 0;
  for (int r = 0; r < ranks; ++r) {
    EXPECT_EQ(map.first_chunk(r), chunk);
    for (std::uint64_t i = map.begin(r); i < map.end(r); ++i) {
      const std::uint64_t within = i - map.begin(r);
      const auto at = map.find(i);
      ASSERT_EQ(at.chunk, chunk + within / map.chunk_size());
      ASSERT_EQ(at.offset, within % map.chunk_size());
      ASSERT_EQ(map.owner(i), r);
      ASSERT_EQ(map.owner_of_chunk(at.chunk), r);
      ASSERT_EQ(map.begin_of_chunk(at.chunk) + at.offset, i);
      ASSERT_LT(at.offset, map.length_of_chunk(at.chunk));
    }
    const std::uint64_t length = map.end(r) - map.begin(r);
    chunk += (length + map.chunk_size() - 1) / map.chunk_size();
  }
  EXPECT_EQ(map.chunks(), chunk);
}

TEST(chunk_map_test, every_element_has_one_chunk) {
  for (const int ranks : {1, 2, 3, 7}) {
    for (const std::uint64_t chunk : {1u, 3u, 8u, 512u}) {
      for (const std::uint64_t size : {0u, 1u, 5u, 63u, 64u, 1000u, 5000u}) {
        check(chunk_map(size, ranks, chunk), ranks);
      }
    }
  }
  check(chunk_map(100, 4, 8, {0, 0, 33, 100}), 4);
  check(chunk_map(100, 3, 8, {0, 64, 64}), 3);
  check(chunk_map(100, 3, 7, {0, 1, 2}), 3);
}

TEST(chunk_map_test, wrong_partitions_are_refused) {
  EXPECT_THROW(chunk_map(10, 2, 0), far::bad_argument);
  EXPECT_THROW(chunk_map(10, 2, 4, {0}), far::bad_argument);
  EXPECT_THROW(chunk_map(10, 2, 4, {1, 5}), far::bad_argument);
  EXPECT_THROW(chunk_map(10, 3, 4, {0, 5, 4}), far::bad_argument);
  EXPECT_THROW(chunk_map(10, 2, 4, {0, 11}), far::bad_argument);
}

}  // namespace
