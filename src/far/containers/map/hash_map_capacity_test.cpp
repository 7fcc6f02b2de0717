// The capacity of a hash table in the segments.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using hash_map_capacity_test = far::test::on_ranks;

TEST_P(hash_map_capacity_test, a_table_holds_what_it_was_made_for) {
  run([](far::world& world) {
    const auto max = static_cast<unsigned>(far::test::rounds_in_sim(world, 60, 300));
    for (const unsigned capacity : {1u, 2u, max}) {
      if (capacity == 2 && world.size() > 20) continue;
      const far::hash_map<std::uint64_t, std::uint8_t> map(world, capacity);
      for (auto key = static_cast<unsigned>(world.rank()); key < capacity;
           key += static_cast<unsigned>(world.size())) {
        EXPECT_TRUE(map.insert(key, 1));
      }
      EXPECT_EQ(map.size(), capacity);
    }
  });
}

/// Inserts keys of rank 0 until no bucket is left. Returns how many were new.
template <class Map>
int fill(const Map& map, std::string& message) {
  int count = 0;
  for (std::uint64_t key = 0;; ++key) {
    if (map.owner(key) != 0) continue;
    try {
      count += map.insert(key, 1) ? 1 : 0;
    } catch (const far::out_of_memory& full) {
      message = full.what();
      return count;
    }
  }
}

TEST_P(hash_map_capacity_test, a_full_table_says_so) {
  run([](far::world& world) {
    for (const far::policy how : {far::policy::one_sided, far::policy::rpc}) {
      const far::hash_map<std::uint64_t, int> map(world, 2, how);
      if (world.rank() == world.size() - 1) {
        std::string message;
        const int count = fill(map, message);
        EXPECT_GE(count, 2);
        EXPECT_NE(message.find("all " + std::to_string(count) + " buckets of rank 0 are taken"),
                  std::string::npos)
            << message;
        // The map continues to work, with the keys that it has.
        EXPECT_FALSE(map.insert(0, 3) && map.owner(0) == 0);
        std::vector<std::uint64_t> keys;
        for (std::uint64_t key = 0; keys.size() < 3; ++key) {
          if (map.owner(key) == 0 && !map.contains(key)) keys.push_back(key);
        }
        const std::vector<int> values(keys.size(), 7);
        EXPECT_THROW((void)map.insert_async(keys[0], 1).get(), far::out_of_memory);
        EXPECT_THROW((void)map.insert_many(keys, values), far::out_of_memory);
        EXPECT_FALSE(map.contains(keys[0]));
        EXPECT_FALSE(map.erase(keys[0]));
      }
    }
  });
}

TEST_P(hash_map_capacity_test, compact_makes_room) {
  run([](far::world& world) {
    const far::hash_map<std::uint64_t, std::uint64_t> map(world, 2);
    std::string message;
    int count = 0;
    std::vector<std::uint64_t> mine;
    if (world.rank() == 0) {
      count = fill(map, message);
      for (std::uint64_t key = 0; mine.size() < static_cast<std::size_t>(count); ++key) {
        if (map.owner(key) == 0) mine.push_back(key);
      }
      // An erased key keeps its bucket: it may come back, other keys may not use it.
      for (const std::uint64_t key : mine) EXPECT_TRUE(map.erase(key));
      std::uint64_t other = mine.back() + 1;
      while (map.owner(other) != 0) ++other;
      EXPECT_THROW((void)map.insert(other, 1), far::out_of_memory);
      EXPECT_TRUE(map.insert(mine[0], 11));
    }
    map.compact();
    EXPECT_EQ(map.size(), 1u);
    if (world.rank() == 0) {
      EXPECT_EQ(map.find(mine[0]), 11u);
      EXPECT_EQ(fill(map, message), count - 1);
    }
    map.clear();
    if (world.rank() == 0) {
      EXPECT_EQ(fill(map, message), count);
    }
  });
}

TEST_P(hash_map_capacity_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    using map = far::hash_map<int, int>;
    EXPECT_THROW(map(world, 0), far::bad_argument);
    EXPECT_THROW(map(world, ~std::uint64_t{0}), far::bad_argument);
    const std::uint64_t beyond_the_heap = (std::uint64_t{1} << 34) * unsigned(world.size());
    EXPECT_THROW(map(world, beyond_the_heap), far::out_of_memory);
    const map grows(world);
    EXPECT_THROW((void)grows.with(far::policy::one_sided), far::bad_argument);
    const map fixed(world, 10);
    EXPECT_THROW(fixed.reserve(11), far::bad_argument);
    fixed.reserve(10);
    if (world.size() == 1) return;
    const auto capacity = static_cast<unsigned>(10 + (world.rank() == 0 ? 1 : 0));
    EXPECT_THROW(map(world, capacity), far::bad_argument);
  });
}

INSTANTIATE_FAR_MODES(hash_map_capacity_test);

}  // namespace
