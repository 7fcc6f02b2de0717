#pragma once
// Compares random operations on a hash_map with std::unordered_map.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far::test {

template <class K>
K key_of(std::uint64_t number) {
  if constexpr (std::is_same_v<K, std::string>) {
    return "key number " + std::to_string(number);
  } else {
    return static_cast<K>(number);
  }
}
template <class V>
V value_of(std::uint64_t number) {
  if constexpr (std::is_same_v<V, std::string>) {
    return std::string(number % 50, static_cast<char>('a' + number % 26));
  } else if constexpr (std::is_same_v<V, std::vector<int>>) {
    return std::vector<int>(number % 10, static_cast<int>(number));
  } else {
    return static_cast<V>(number);
  }
}

/// All ranks call it at once. Each rank has its own keys, and an oracle for them; the owners of the
/// keys are arbitrary.
template <class K, class V>
void compare_with_oracle(const world& world, const hash_map<K, V>& map, int rounds,
                         std::uint64_t keys) {
  std::unordered_map<K, V> oracle;
  base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
  const auto size = static_cast<std::uint64_t>(world.size());
  for (int round = 0; round < rounds; ++round) {
    const K key = key_of<K>(random.below(keys) * size + static_cast<std::uint64_t>(world.rank()));
    const V value = value_of<V>(random.below(1000));
    switch (random.below(8)) {
      case 0:
        EXPECT_EQ(map.insert(key, value), oracle.try_emplace(key, value).second);
        break;
      case 1:
        EXPECT_EQ(map.insert_or_assign(key, value), oracle.insert_or_assign(key, value).second);
        break;
      case 2:
        EXPECT_EQ(map.erase(key), oracle.erase(key) == 1);
        break;
      case 3:
        EXPECT_EQ(map.contains(key), oracle.contains(key));
        break;
      case 4: {
        const auto replace = [](V& there, const V& with) { there = with; };
        const bool fresh = !oracle.contains(key);
        oracle[key] = value;
        EXPECT_EQ(map.update_or_insert(key, value, replace), fresh);
        break;
      }
      case 5:
        if constexpr (requires(V& there) { there += value; }) {
          const bool fresh = !oracle.contains(key);
          oracle[key] += value;
          EXPECT_EQ(map.add_or_insert(key, value), fresh);
        }
        break;
      default: {
        const std::optional<V> found = map.find(key);
        const auto place = oracle.find(key);
        ASSERT_EQ(found.has_value(), place != oracle.end());
        if (found) {
          EXPECT_EQ(*found, place->second);
        }
      }
    }
  }
  // All keys of all ranks, and no others.
  const auto everyone = map.size();
  const auto sum = allreduce(world, oracle.size(), std::plus<>());
  EXPECT_EQ(everyone, sum);
  std::vector<K> mine;
  for (const auto& [key, value] : oracle) mine.push_back(key);
  const std::vector<std::optional<V>> values = map.find_many(mine);
  for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(values[i], oracle.at(mine[i]));
}

/// Compares batches of `count` keys of each rank with the same operations one by one.
template <class K, class V>
void compare_batches(const world& world, const hash_map<K, V>& map, std::size_t count) {
  base::random random(static_cast<std::uint64_t>(world.rank()) + 5);
  const auto size = static_cast<std::uint64_t>(world.size());
  std::vector<K> keys;
  std::vector<V> values;
  std::unordered_set<K> seen;
  while (keys.size() < count) {
    const K key =
        key_of<K>(random.below(3 * count) * size + static_cast<std::uint64_t>(world.rank()));
    if (!seen.insert(key).second) continue;
    keys.push_back(key);
    values.push_back(value_of<V>(random.below(1000)));
  }
  const std::size_t half = count / 2;
  const auto first = std::span<const K>(keys).first(half);
  EXPECT_EQ(map.insert_many(first, std::span<const V>(values).first(half)),
            std::vector<bool>(half, true));
  const std::vector<bool> there = map.contains_many(keys);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(there[i], i < half);
  // Again with all keys: only the second half is new, and the first half keeps its values.
  const std::vector<V> others(count, V{});
  const std::vector<bool> fresh = map.insert_many(keys, others);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(fresh[i], i >= half);
  std::vector<std::optional<V>> found = map.find_many(keys);
  ASSERT_EQ(found.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(found[i], i < half ? values[i] : V{});
    EXPECT_EQ(map.find(keys[i]), found[i]);
  }
  EXPECT_EQ(map.insert_or_assign_many(keys, values), std::vector<bool>(count, false));
  const std::vector<bool> erased = map.erase_many(std::span<const K>(keys).subspan(half / 2));
  EXPECT_EQ(erased, std::vector<bool>(count - half / 2, true));
  found = map.find_many(keys);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(found[i], i < half / 2 ? std::optional<V>(values[i]) : std::nullopt);
  }
  EXPECT_EQ(map.erase_many(keys).size(), count);
  EXPECT_EQ(map.size(), 0u);
}

/// Calls `some` of the functions. Which ones depends on the number of ranks.
inline void call_some(const world& world, int some,
                      const std::vector<std::function<void()>>& functions) {
  for (int i = 0; i < some; ++i) functions[std::size_t(world.size() + i) % functions.size()]();
}

}  // namespace far::test
