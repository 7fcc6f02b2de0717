#include "bench/papers/paper_store.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/papers/slab_allocator.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

TEST(slab_allocator_test, places_do_not_overlap) {
  slab_allocator slabs(1000, 1000 + 8 * slab_allocator::page_bytes);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
  for (int i = 0; i < 100; ++i) {
    for (const std::uint64_t bytes : {1u, 48u, 49u, 300u}) {
      taken.emplace_back(slabs.allocate(bytes), bytes);
    }
  }
  std::ranges::sort(taken);
  for (std::size_t i = 1; i < taken.size(); ++i) {
    EXPECT_LE(taken[i - 1].first + taken[i - 1].second, taken[i].first);
  }
  EXPECT_GE(taken.front().first, 1000u);
  EXPECT_LE(taken.back().first + taken.back().second, 1000 + 8 * slab_allocator::page_bytes);
}

TEST(slab_allocator_test, uses_again_what_was_freed_and_ends_with_an_error) {
  slab_allocator slabs(0, slab_allocator::page_bytes);
  const std::uint64_t large = slab_allocator::page_bytes;
  const std::uint64_t place = slabs.allocate(large);
  EXPECT_THROW((void)slabs.allocate(1), out_of_memory);
  slabs.free(place, large);
  EXPECT_EQ(slabs.allocate(large - 1), place);
  EXPECT_THROW((void)slabs.allocate(large + 1), bad_argument);
}

run_options simulated(int ranks) {
  run_options how;
  how.ranks = ranks;
  how.ranks_per_node = 1;
  how.mode = job_mode::fibers;
  how.profile = "cx4-100g";
  return how;
}

TEST(paper_store_test, every_rank_finds_what_others_have_put_in_buckets_that_overflow) {
  run(simulated(3), [](world& world) {
    constexpr int keys = 90;  // in two buckets
    const paper_store store(world, {.buckets = 2, .more_buckets = 4, .bytes = 1 << 17});
    const paper_store::view mine = store.on(world);
    const auto value_of = [](int i) { return std::string(static_cast<std::size_t>(3 * i), 'x'); };
    for (int i = world.rank(); i < keys; i += world.size())
      mine.put(std::to_string(i), value_of(i));
    barrier(world);
    for (int i = 0; i < keys; ++i) EXPECT_EQ(mine.get(std::to_string(i)), value_of(i)) << i;
    EXPECT_FALSE(mine.get("x"));
    barrier(world);
    for (int i = world.rank(); i < keys; i += world.size()) {
      mine.put(std::to_string(i), value_of(keys - i));  // of another size
    }
    barrier(world);
    for (int i = 0; i < keys; ++i) EXPECT_EQ(mine.get(std::to_string(i)), value_of(keys - i)) << i;
    barrier(world);
  });
}

TEST(paper_store_test, ranks_that_put_one_key_leave_one_of_the_values) {
  run(simulated(3), [](world& world) {
    const paper_store store(world, {.buckets = 1, .more_buckets = 1, .bytes = 1 << 15});
    const paper_store::view mine = store.on(world);
    const std::string value(static_cast<std::size_t>(10 + world.rank()), 'a');
    for (int i = 0; i < 20; ++i) {
      mine.put("key", value);
      const std::optional<std::string> found = mine.get("key");
      ASSERT_TRUE(found);
      EXPECT_EQ(found->find_first_not_of('a'), std::string::npos);
    }
    barrier(world);
    const std::optional<std::string> last = mine.get("key");
    ASSERT_TRUE(last);
    EXPECT_EQ(allreduce(world, last->size(), [](auto a, auto b) { return std::max(a, b); }),
              last->size());
  });
}

}  // namespace
}  // namespace far::bench
