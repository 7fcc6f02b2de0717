#include "far/memory/heap.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::memory {
namespace {

TEST(heap_test, never_gives_offset_zero) {
  heap h(1024, 16);
  EXPECT_EQ(h.allocate(1, 1).offset, 16u);
  EXPECT_EQ(h.extent(), 32u);
}

TEST(heap_test, empty_allocations_are_apart) {
  heap h(1024, 16);
  const auto a = h.allocate(0, 1).offset;
  const auto b = h.allocate(0, 1).offset;
  EXPECT_NE(a, 0u);
  EXPECT_NE(a, b);
}

TEST(heap_test, tells_the_allocation_that_an_offset_belongs_to) {
  heap h(1024, 16);
  EXPECT_EQ(h.at_or_below(500).offset, 0u);
  const auto a = h.allocate(20, 1).offset;  // 16 to 48, rounded up
  const auto b = h.allocate(8, 1).offset;
  EXPECT_EQ(h.at_or_below(a - 1).offset, 0u);
  EXPECT_EQ(h.at_or_below(a).offset, a);
  EXPECT_EQ(h.at_or_below(b - 1).offset, a);
  EXPECT_EQ(h.at_or_below(b - 1).bytes, 20u);
  EXPECT_EQ(h.at_or_below(1000).offset, b);
  EXPECT_TRUE(h.deallocate(b));
  EXPECT_EQ(h.at_or_below(1000).offset, a);
}

TEST(heap_test, a_full_heap_says_so_and_recovers) {
  heap h(1024, 16);
  EXPECT_EQ(h.largest_free(), 1008u);
  EXPECT_EQ(h.allocate(1009, 1).offset, 0u);
  EXPECT_EQ(h.allocate(~std::uint64_t{0}, 1).offset, 0u);
  const auto all = h.allocate(1008, 1);
  EXPECT_EQ(all.offset, 16u);
  EXPECT_EQ(h.extent(), 1024u);
  EXPECT_EQ(h.free_bytes(), 0u);
  EXPECT_EQ(h.largest_free(), 0u);
  EXPECT_EQ(h.allocate(1, 1).offset, 0u);
  EXPECT_TRUE(h.deallocate(all.offset));
  EXPECT_EQ(h.extent(), 0u);
  EXPECT_EQ(h.allocate(1008, 1).offset, 16u);
}

TEST(heap_test, a_heap_without_memory_gives_none) {
  heap h(0, 64);
  EXPECT_EQ(h.allocate(0, 1).offset, 0u);
  EXPECT_EQ(h.extent(), 0u);
}

TEST(heap_test, refuses_what_it_did_not_give) {
  heap h(1024, 16);
  const auto a = h.allocate(32, 1).offset;
  EXPECT_FALSE(h.deallocate(0));
  EXPECT_FALSE(h.deallocate(a + 16));
  EXPECT_TRUE(h.deallocate(a));
  EXPECT_FALSE(h.deallocate(a));
}

TEST(heap_test, takes_the_smallest_block_that_fits) {
  heap h(4096, 16);
  std::vector<std::uint64_t> blocks;
  for (const unsigned bytes : {256u, 16u, 64u, 16u, 128u, 16u}) {
    blocks.push_back(h.allocate(bytes, 1).offset);
  }
  for (const std::size_t i : {0u, 2u, 4u}) EXPECT_TRUE(h.deallocate(blocks[i]));
  EXPECT_EQ(h.allocate(100, 1).offset, blocks[4]);
  EXPECT_EQ(h.allocate(64, 1).offset, blocks[2]);
  EXPECT_EQ(h.allocate(65, 1).offset, blocks[0]);
}

TEST(heap_test, aligns_and_keeps_the_gap_usable) {
  heap h(64 * 1024, 16);
  EXPECT_EQ(h.allocate(16, 4096).offset, 4096u);
  EXPECT_EQ(h.allocate(4080, 1).offset, 16u);  // the gap before it
  for (std::uint64_t alignment = 1; alignment <= max_alignment; alignment *= 2) {
    EXPECT_EQ(h.allocate(24, alignment).offset % alignment, 0u);
  }
}

std::uint64_t bytes_of(const std::vector<heap::range>& ranges) {
  std::uint64_t sum = 0;
  for (const auto& one : ranges) sum += one.end - one.begin;
  return sum;
}

TEST(heap_test, tells_which_bytes_were_used_before) {
  heap h(4096, 16);
  const auto a = h.allocate(64, 1).offset;
  EXPECT_EQ(bytes_of(h.use(a, a + 64)), 0u);
  EXPECT_EQ(bytes_of(h.use(a + 16, a + 32)), 16u);
  EXPECT_TRUE(h.deallocate(a));
  EXPECT_EQ(h.allocate(128, 1).offset, a);
  const auto used = h.use(a, a + 128);
  ASSERT_EQ(used.size(), 1u);
  EXPECT_EQ(used[0].begin, a);
  EXPECT_EQ(used[0].end, a + 64);
}

TEST(heap_test, knows_what_a_large_allocation_has_not_written) {
  heap h(4096, 16);
  const auto a = h.allocate(1024, 1).offset;
  EXPECT_EQ(bytes_of(h.use(a, a + 1024)), 0u);
  const auto b = h.allocate(64, 1).offset;
  EXPECT_EQ(bytes_of(h.use(b, b + 64)), 0u);
  EXPECT_TRUE(h.deallocate(a, 100));
  EXPECT_TRUE(h.deallocate(b));
  EXPECT_EQ(h.allocate(2048, 1).offset, a);
  const auto used = h.use(a, a + 2048);
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[0].end, a + 100);
  EXPECT_EQ(used[1].begin, b);
  EXPECT_EQ(used[1].end, b + 64);
}

// Compares with a flag for each byte.
TEST(heap_test, tells_all_bytes_that_were_used) {
  constexpr std::uint64_t capacity = 4096;
  base::random random(11);
  heap h(capacity, 16);
  std::vector<bool> written(capacity);
  std::map<std::uint64_t, std::uint64_t> live;
  for (int step = 0; step < 5000; ++step) {
    if (!live.empty() && random.below(2) == 0) {
      const auto victim = std::next(live.begin(), static_cast<int>(random.below(live.size())));
      const std::uint64_t kept = random.below(victim->second + 1);
      for (std::uint64_t i = kept; i < victim->second; ++i) written[victim->first + i] = false;
      ASSERT_TRUE(h.deallocate(victim->first, kept));
      live.erase(victim);
      continue;
    }
    const auto got = h.allocate(1 + random.below(400), 1);
    if (got.offset == 0) continue;
    std::vector<bool> told(capacity);
    for (const auto& one : h.use(got.offset, got.offset + got.bytes)) {
      for (std::uint64_t i = one.begin; i < one.end; ++i) told[i] = true;
    }
    for (std::uint64_t i = got.offset; i < got.offset + got.bytes; ++i) {
      ASSERT_EQ(told[i], written[i]) << i;
      written[i] = true;
    }
    live[got.offset] = got.bytes;
  }
}

// Compares the heap with a map of live blocks: no two blocks overlap, the extent is the highest
// end, and when all is freed one free block remains.
TEST(heap_test, keeps_random_blocks_apart) {
  constexpr std::uint64_t capacity = 1 << 20;
  base::random random(7);
  heap h(capacity, 16);
  std::map<std::uint64_t, std::uint64_t> live;
  for (int step = 0; step < 20'000; ++step) {
    if (!live.empty() && random.below(100) < 48) {
      auto victim = live.lower_bound(random.below(capacity));
      if (victim == live.end()) victim = live.begin();
      ASSERT_TRUE(h.deallocate(victim->first));
      live.erase(victim);
    } else {
      const std::uint64_t bytes = random.below(random.below(10) == 0 ? 65536 : 512);
      const std::uint64_t alignment = std::uint64_t{1} << random.below(13);
      const auto got = h.allocate(bytes, alignment);
      if (got.offset == 0) {
        ASSERT_LT(h.largest_free(), bytes + alignment + 16);
        continue;
      }
      ASSERT_EQ(got.offset % alignment, 0u);
      ASSERT_GE(got.bytes, bytes);
      const auto next = live.lower_bound(got.offset);
      if (next != live.end()) {
        ASSERT_LE(got.offset + got.bytes, next->first);
      }
      if (next != live.begin()) {
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second, got.offset);
      }
      live[got.offset] = got.bytes;
    }
    const auto end = live.empty() ? 0 : live.rbegin()->first + live.rbegin()->second;
    ASSERT_EQ(h.extent(), end);
    ASSERT_EQ(h.live(), live.size());
  }
  for (const auto& [offset, bytes] : live) EXPECT_TRUE(h.deallocate(offset));
  EXPECT_EQ(h.largest_free(), h.free_bytes());
  EXPECT_EQ(h.free_bytes(), capacity - 16);
}

}  // namespace
}  // namespace far::memory
