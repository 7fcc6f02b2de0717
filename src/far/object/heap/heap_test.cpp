// The memory of a rank's own objects, by itself: blocks, and how many there may be.

#include "far/object/heap/heap.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "far/object/heap/region.hpp"

namespace {

using far::objects::block_bytes;
using far::objects::object_heap;

TEST(heap_test, takes_no_block_beyond_its_limit) {
  std::vector<std::byte> memory(16 * block_bytes);
  object_heap heap(memory.data(), memory.size(), 4 * block_bytes, 0);
  EXPECT_EQ(heap.take_blocks(3)->offset, 0u);
  EXPECT_FALSE(heap.take_blocks(2));
  EXPECT_EQ(heap.take_blocks(1)->offset, 3 * block_bytes);
  EXPECT_FALSE(heap.take_blocks(1));
}

TEST(heap_test, grows_by_what_is_in_use) {
  std::vector<std::byte> memory(16 * block_bytes);
  object_heap heap(memory.data(), memory.size(), 4 * block_bytes, 0);
  ASSERT_TRUE(heap.take_blocks(4));
  heap.grow(1);
  EXPECT_FALSE(heap.take_blocks(5));
  EXPECT_TRUE(heap.take_blocks(4));
  EXPECT_FALSE(heap.take_blocks(1));
}

TEST(heap_test, grows_by_what_is_wanted_up_to_its_memory) {
  std::vector<std::byte> memory(16 * block_bytes);
  object_heap heap(memory.data(), memory.size(), 4 * block_bytes, 0);
  ASSERT_TRUE(heap.take_blocks(1));
  heap.grow(15);
  EXPECT_TRUE(heap.take_blocks(15));
  heap.grow(1);
  EXPECT_FALSE(heap.take_blocks(1));
}

}  // namespace
