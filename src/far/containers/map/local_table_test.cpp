#include "far/containers/map/local_table.hpp"

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace {

using far::containers::local_table;
using far::containers::placing_hash;

template <class K>
struct all_collide {
  using is_avalanching = void;
  std::uint64_t operator()(const K&) const noexcept { return 42; }
};
template <class K>
struct few_homes {
  using is_avalanching = void;
  std::uint64_t operator()(const K& key) const noexcept { return far::hash<K>{}(key)&3; }
};
/// Consecutive homes, so that clusters join and wrap around the end.
struct identity {
  using is_avalanching = void;
  std::uint64_t operator()(std::uint64_t key) const noexcept { return key; }
};

template <class K>
K key_of(std::uint64_t number) {
  if constexpr (std::is_same_v<K, std::string>) {
    return "key " + std::to_string(number);
  } else {
    return static_cast<K>(number);
  }
}

/// Random operations, each compared with std::unordered_map; sometimes all contents are compared.
template <class K, class Hash>
void compare_with_oracle(std::uint64_t seed, std::uint64_t keys, int rounds) {
  local_table<K, std::uint64_t, Hash> table(seed);
  std::unordered_map<K, std::uint64_t> oracle;
  far::base::random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const K key = key_of<K>(random.below(keys));
    const std::uint64_t hash = placing_hash<Hash>(key);
    const std::uint64_t value = random();
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2: {
        const auto [at, fresh] = table.find_or_insert(key, hash, [&] { return value; });
        const auto [place, inserted] = oracle.try_emplace(key, value);
        ASSERT_EQ(fresh, inserted);
        ASSERT_EQ(*at, place->second);
        *at = place->second = value;
        break;
      }
      case 3:
      case 4:
        ASSERT_EQ(table.erase(key, hash), oracle.erase(key) == 1);
        break;
      default: {
        table.prefetch(hash);
        const std::uint64_t* found = table.find(key, hash);
        const auto place = oracle.find(key);
        ASSERT_EQ(found != nullptr, place != oracle.end());
        if (found != nullptr) {
          ASSERT_EQ(*found, place->second);
        }
      }
    }
    ASSERT_EQ(table.size(), oracle.size());
    if (random.below(1000) == 0) {
      std::unordered_map<K, std::uint64_t> seen;
      for (const auto [k, v] : table) ASSERT_TRUE(seen.try_emplace(k, v).second);
      ASSERT_EQ(seen, oracle);
    }
    if (random.below(20000) == 0) {
      table.clear();
      oracle.clear();
    }
  }
}

TEST(LocalTable, EqualsAnOracle) {
  compare_with_oracle<std::uint64_t, far::hash<std::uint64_t>>(1, 50, 50000);
  compare_with_oracle<std::uint64_t, far::hash<std::uint64_t>>(2, 100000, 200000);
  compare_with_oracle<std::uint16_t, far::hash<std::uint16_t>>(3, 3000, 100000);
  compare_with_oracle<std::string, far::hash<std::string>>(4, 500, 50000);
  compare_with_oracle<std::string, std::hash<std::string>>(5, 500, 50000);
  compare_with_oracle<int, std::hash<int>>(6, 1000, 50000);
}

TEST(LocalTable, EqualsAnOracleWhenHashesCollide) {
  compare_with_oracle<std::uint64_t, all_collide<std::uint64_t>>(1, 100, 50000);
  compare_with_oracle<std::string, few_homes<std::string>>(2, 200, 50000);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    compare_with_oracle<std::uint64_t, identity>(seed, 20, 5000);
    compare_with_oracle<std::uint64_t, few_homes<std::uint64_t>>(seed, 40, 5000);
  }
}

TEST(LocalTable, GrowsAsItFills) {
  local_table<std::uint64_t, std::uint32_t, far::hash<std::uint64_t>> table;
  const auto hash = placing_hash<far::hash<std::uint64_t>, std::uint64_t>;
  EXPECT_EQ(table.capacity(), 0u);
  constexpr std::uint64_t keys = 1'000'000;
  for (std::uint64_t key = 0; key < keys; ++key) {
    (void)table.find_or_insert(key, hash(key), [&] { return static_cast<std::uint32_t>(key); });
  }
  EXPECT_EQ(table.size(), keys);
  EXPECT_LE(table.capacity(), 4 * keys);
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(*table.find(key, hash(key)), key);
  EXPECT_EQ(table.find(keys, hash(keys)), nullptr);
  for (std::uint64_t key = 0; key < keys; key += 2) ASSERT_TRUE(table.erase(key, hash(key)));
  for (std::uint64_t key = 0; key < keys; ++key) {
    ASSERT_EQ(table.find(key, hash(key)) != nullptr, key % 2 == 1);
  }
}

TEST(LocalTable, ReserveKeepsTheTableInPlace) {
  local_table<int, int, far::hash<int>> table;
  const auto hash = placing_hash<far::hash<int>, int>;
  table.reserve(0);
  EXPECT_EQ(table.capacity(), 0u);
  table.reserve(1000);
  const std::size_t capacity = table.capacity();
  EXPECT_GE(capacity, 1000u);
  for (int i = 0; i < 1000; ++i) (void)table.find_or_insert(i, hash(i), [&] { return i; });
  EXPECT_EQ(table.capacity(), capacity);
  table.reserve(10);
  EXPECT_EQ(table.capacity(), capacity);
}

// Fills a table in the order of another: without salts the keys of the second would crowd.
TEST(LocalTable, FillsInTheOrderOfAnother) {
  local_table<std::uint64_t, int, far::hash<std::uint64_t>> from(1);
  local_table<std::uint64_t, int, far::hash<std::uint64_t>> to(2);
  const auto hash = placing_hash<far::hash<std::uint64_t>, std::uint64_t>;
  for (std::uint64_t key = 0; key < 300000; ++key) {
    (void)from.find_or_insert(key, hash(key), [] { return 1; });
  }
  for (const auto [key, value] : from) {
    (void)to.find_or_insert(key, hash(key), [&, &v = value] { return v; });
  }
  EXPECT_EQ(to.size(), from.size());
}

TEST(LocalTable, OwnsItsKeysAndValues) {
  const auto counted = std::make_shared<int>(7);
  {
    local_table<std::string, std::shared_ptr<int>, far::hash<std::string>> table;
    const auto hash = placing_hash<far::hash<std::string>, std::string>;
    for (int i = 0; i < 1000; ++i) {
      const std::string key = std::to_string(i);
      (void)table.find_or_insert(key, hash(key), [&] { return counted; });
    }
    EXPECT_EQ(counted.use_count(), 1001);
    for (int i = 0; i < 500; ++i) {
      const std::string key = std::to_string(i);
      EXPECT_TRUE(table.erase(key, hash(key)));
    }
    EXPECT_EQ(counted.use_count(), 501);
    const std::string key = "new";
    EXPECT_THROW((void)table.find_or_insert(
                     key, hash(key), []() -> std::shared_ptr<int> { throw std::bad_alloc(); }),
                 std::bad_alloc);
    EXPECT_EQ(table.find(key, hash(key)), nullptr);
    EXPECT_EQ(table.size(), 500u);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(LocalTable, HoldsMoveOnlyValues) {
  local_table<int, std::unique_ptr<int>, far::hash<int>> table;
  const auto hash = placing_hash<far::hash<int>, int>;
  for (int i = 0; i < 100; ++i) {
    (void)table.find_or_insert(i, hash(i), [&] { return std::make_unique<int>(i); });
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(**table.find(i, hash(i)), i);
}

}  // namespace
