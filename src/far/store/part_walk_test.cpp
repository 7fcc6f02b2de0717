// A walk through a part visits each item once, while the part changes.

#include "far/store/part_walk.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/store/test_part.hpp"

namespace far::stores {
namespace {

using visited_keys = std::map<std::string, int, std::less<>>;

/// Walks, and calls between() after each step.
template <class Between>
visited_keys walk_through(const testing::test_part& part, Between between, store_second now = 2) {
  visited_keys seen;
  std::uint64_t cursor = 0;
  do {
    cursor = walk(part.memory(), cursor, 3, now,
                  [&](std::string_view key, const item_info&) { ++seen[std::string(key)]; });
    between();
  } while (cursor != 0);
  return seen;
}

TEST(part_walk, visits_nothing_in_an_empty_part) {
  const testing::test_part part(8 << 20, 1 << 16);
  EXPECT_TRUE(walk_through(part, [] {}).empty());
}

TEST(part_walk, tells_what_an_item_is_and_leaves_out_the_expired) {
  const testing::test_part part(8 << 20, 1 << 16);
  part.put("kept", "four");
  part.put("past", "value", 5);
  int visits = 0;
  EXPECT_EQ(walk(part.memory(), 0, 1000, 5,
                 [&](std::string_view key, const item_info& item) {
                   ++visits;
                   EXPECT_EQ(key, "kept");
                   EXPECT_EQ(item.value_bytes, 4U);
                   EXPECT_EQ(item.expires, 0U);
                   EXPECT_FALSE(item.was_fetched);
                 }),
            0U);
  EXPECT_EQ(visits, 1);
}

// The index grows from 8 buckets to some thousand during the walk, items move and leave.
TEST(part_walk, visits_once_what_stays_however_the_part_changes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const testing::test_part part(8 << 20, 1 << 16);
    base::random random(seed);
    const std::uint64_t staying = 50 + random.below(3000);
    for (std::uint64_t i = 0; i < staying; ++i) part.put("stays" + std::to_string(i), "value");
    std::uint64_t next = 0;
    const visited_keys seen = walk_through(part, [&] {
      for (std::uint64_t i = random.below(60); i > 0 && next < 20'000; --i) {
        part.put("comes" + std::to_string(next++), std::string(random.below(100), 'v'));
      }
      if (next > 100) (void)part.erase("comes" + std::to_string(random.below(next)));
      const std::string longer(random.below(200), 'w');  // moves it
      part.put("stays" + std::to_string(random.below(staying)), longer);
    });
    EXPECT_EQ(part.memory().state().counts.evicted, 0U);
    for (std::uint64_t i = 0; i < staying; ++i) {
      const auto found = seen.find("stays" + std::to_string(i));
      EXPECT_EQ(found == seen.end() ? 0 : found->second, 1) << i << ", seed " << seed;
    }
    for (const auto& [key, visits] : seen) EXPECT_LE(visits, 1 + (key[0] == 'c')) << key;
  }
}

}  // namespace
}  // namespace far::stores
