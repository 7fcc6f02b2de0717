// The distributed hash table on every fabric, compared with std::unordered_map.

#include "far/containers/map/hash_map.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/map/hash_map_test.hpp"
#include "far/rpc/rpc.hpp"
#include "test/support/jobs.hpp"
#include "test/support/map_oracle.hpp"

namespace {

using hash_map_test = far::test::on_ranks;

struct interval {
  std::int32_t low = 0;
  std::int32_t high = 0;
  bool operator==(const interval&) const = default;
};

template <class K, class V>
void compare_with_oracle(const far::world& world, int rounds, std::uint64_t keys) {
  far::test::compare_with_oracle(world, far::hash_map<K, V>(world), rounds, keys);
}

template <class K, class V>
void compare_batches(const far::world& world, std::size_t count) {
  far::test::compare_batches(world, far::hash_map<K, V>(world), count);
}

TEST_P(hash_map_test, equals_an_oracle) {
  const int max = GetParam().mode == far::job_mode::fibers ? 60 : 1000;
  run([max](far::world& world) {
    const int kinds = far::test::rounds_in_sim(world, 30, 4);
    const int rounds = far::test::rounds_in_sim(world, 10 * kinds, max);
    far::test::call_some(
        world, kinds,
        {[&] { compare_with_oracle<std::uint64_t, std::uint64_t>(world, rounds, 100); },
         [&] { compare_with_oracle<std::string, std::string>(world, rounds, 100); },
         [&] { compare_with_oracle<std::string, std::vector<int>>(world, rounds, 20); },
         [&] { compare_with_oracle<int, int>(world, rounds, 50); }});
  });
}

TEST_P(hash_map_test, batches_equal_single_operations) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    // Each comparison costs a rank about 24 operations, 2 a key, and 14 for each owner of a key.
    const int kinds = far::test::rounds_in_sim(world, 90, 3);
    const int each = far::test::rounds_in_sim(world, kinds, 1 << 20);
    const int affordable = std::max({1, each / 24, (each - 24 - 14 * world.size()) / 2});
    const auto keys = [&](int max) { return std::size_t(std::min(affordable, max)); };
    far::test::call_some(
        world, kinds,
        {[&] { compare_batches<std::uint64_t, std::uint64_t>(world, keys(fibers ? 300 : 3000)); },
         [&] { compare_batches<std::string, std::vector<int>>(world, keys(fibers ? 50 : 1000)); },
         [&] { compare_batches<int, int>(world, keys(100)); }});
    far::hash_map<int, int> map(world);
    EXPECT_TRUE(map.find_many({}).empty());
    EXPECT_THROW((void)map.insert_many(std::vector<int>{1, 2}, std::vector<int>{1}),
                 far::bad_argument);
  });
}

// All ranks count the same keys: no count is lost.
TEST_P(hash_map_test, counts_of_all_ranks_add_up) {
  const int max = GetParam().mode == far::job_mode::fibers ? 100 : 5000;
  run([max](far::world& world) {
    const int affordable = far::test::rounds_in_sim(world, 10, max);
    const int hot = std::min(affordable, 10);
    const int keys = affordable - affordable % hot;
    far::hash_map<std::uint64_t, std::uint64_t> counts(world);
    std::vector<std::uint64_t> batch;
    for (int i = 0; i < keys; ++i) {
      batch.push_back(static_cast<std::uint64_t>(i));
      batch.push_back(static_cast<std::uint64_t>(i % hot));
    }
    const std::vector<std::uint64_t> weights(batch.size(), 3);
    counts.update_or_insert_all(batch, std::uint64_t{1}, far::test::add);
    counts.update_or_insert_many(batch, weights, far::test::add);
    for (int key = 0; key < hot; ++key) {
      (void)counts.update_or_insert(static_cast<std::uint64_t>(key), std::uint64_t{2},
                                    far::test::add);
    }
    far::barrier(world);
    EXPECT_EQ(counts.size(), static_cast<std::size_t>(keys));
    const auto size = static_cast<std::uint64_t>(world.size());
    const auto often = static_cast<std::uint64_t>(1 + keys / hot);
    for (const auto [key, count] : counts.local()) {
      EXPECT_EQ(counts.owner(key), world.rank());
      EXPECT_EQ(count, std::cmp_less(key, hot) ? size * (4 * often + 2) : size * 4) << key;
    }
    far::barrier(world);
  });
}

TEST_P(hash_map_test, updates_start_from_what_they_are_given) {
  run([](far::world& world) {
    far::hash_map<std::string, std::vector<int>> lists(world);
    const auto append = [](std::vector<int>& list, int x) { list.push_back(x); };
    (void)lists.update_or_insert("everyone", world.rank(), append);
    far::barrier(world);
    std::vector<int> everyone = lists.find("everyone").value();
    std::sort(everyone.begin(), everyone.end());
    for (int i = 0; i < world.size(); ++i) EXPECT_EQ(everyone[static_cast<std::size_t>(i)], i);

    far::hash_map<int, interval> ranges(world);
    const auto widen = [](interval& range, int x) {
      range.low = std::min(range.low, x);
      range.high = std::max(range.high, x);
    };
    for (const int x : {world.rank() + 10, -world.rank()}) {
      (void)ranges.update_or_insert(7, interval{x, x}, x, widen);
    }
    far::barrier(world);
    EXPECT_EQ(ranges.find(7), (interval{1 - world.size(), world.size() + 9}));

    // A function with a capture, and one that throws.
    far::hash_map<int, int> map(world);
    const int factor = world.rank() + 2;
    (void)map.insert(world.rank(), 5);
    EXPECT_FALSE(
        map.update_or_insert(world.rank(), 3, [factor](int& v, int x) { v *= factor * x; }));
    EXPECT_EQ(map.find(world.rank()), 15 * factor);
    const auto refuse = [](int&, int) { throw far::bad_argument("no"); };
    EXPECT_THROW((void)map.update_or_insert(world.rank(), 1, refuse), far::bad_argument);
    const std::vector<int> one{world.rank()};
    EXPECT_THROW((void)map.update_or_insert_all(one, 1, refuse), far::bad_argument);
    EXPECT_EQ(map.find(world.rank()), 15 * factor);
  });
}

TEST_P(hash_map_test, async_operations_overlap) {
  run([](far::world& world) {
    far::hash_map<std::string, std::string> map(world);
    std::vector<far::future<bool>> inserted;
    const std::string mine = std::to_string(world.rank()) + ":";
    const int n = far::test::rounds_in_sim(world, 5, 40);
    for (int i = 0; i < n; ++i) {
      inserted.push_back(map.insert_async(mine + std::to_string(i), std::to_string(i)));
    }
    for (auto& f : inserted) EXPECT_TRUE(f.get());
    std::vector<far::future<std::optional<std::string>>> found;
    for (int i = 0; i < n; ++i) found.push_back(map.find_async(mine + std::to_string(i)));
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(found[static_cast<std::size_t>(i)].get(), std::to_string(i));
    }
    auto chained = map.erase_async(mine + "0").then([&map, key = mine + "0"](bool erased) {
      EXPECT_TRUE(erased);
      return map.contains_async(key);
    });
    EXPECT_FALSE(chained.get());
  });
}

TEST_P(hash_map_test, iterates_over_the_local_part) {
  run([](far::world& world) {
    far::hash_map<int, int> map(world);
    for (int i = world.rank(); i < 200; i += world.size()) EXPECT_TRUE(map.insert(i, i));
    far::barrier(world);
    for (auto [key, value] : map.local()) value = 2 * key;
    std::size_t items = 0;
    map.for_each_local([&](const int& key, int& value) {
      EXPECT_EQ(value, 2 * key);
      EXPECT_EQ(map.owner(key), world.rank());
      ++items;
    });
    EXPECT_EQ(items, map.local_size());
    EXPECT_EQ(map.local().size(), items);
    EXPECT_EQ(far::allreduce(world, items, std::plus<>()), 200u);
    map.clear();
    EXPECT_EQ(map.size(), 0u);
    EXPECT_FALSE(map.contains(3));
    far::barrier(world);
    if (world.rank() == 0) {
      EXPECT_TRUE(map.insert(3, 4));
    }
    EXPECT_EQ(map.size(), 1u);
  });
}

TEST_P(hash_map_test, threads_share_a_rank) {
  options.service = true;
  seeds = 10;
  const int max = GetParam().mode == far::job_mode::fibers ? 30 : 500;
  run([max](far::world& world) {
    const auto rounds = static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 12, max));
    far::hash_map<std::uint64_t, std::uint64_t> map(world);
    world.threads(3, [&](far::world& own) {
      const auto mine = map.on(own);
      std::vector<std::uint64_t> keys;
      for (std::uint64_t i = 0; i < rounds; ++i) {
        (void)mine.update_or_insert(i % 7, std::uint64_t{1}, far::test::add);
        keys.push_back(i % 5);
      }
      mine.update_or_insert_all(keys, std::uint64_t{1}, far::test::add);
      std::uint64_t sum = 0;
      for (const auto [key, value] : mine.local()) sum += value;
      EXPECT_LE(sum, 6 * rounds * static_cast<std::uint64_t>(own.size()));
    });
    far::barrier(world);
    std::uint64_t sum = 0;
    for (const auto [key, value] : map.local()) sum += value;
    EXPECT_EQ(far::allreduce(world, sum, std::plus<>()),
              6 * rounds * static_cast<std::uint64_t>(world.size()));
  });
}

TEST_P(hash_map_test, maps_come_and_go) {
  run([](far::world& world) {
    far::hash_map<int, int> outer(world);
    const int rounds = far::test::rounds_in_sim(world, 45, 5);
    for (int round = 0; round < rounds; ++round) {
      far::hash_map<int, int> a(world);
      far::hash_map<std::string, std::string> b(world);
      EXPECT_TRUE(a.insert(world.rank(), round));
      EXPECT_TRUE(b.insert(std::to_string(world.rank()), "x"));
      EXPECT_EQ(outer.insert(world.rank(), round), round == 0);
      EXPECT_EQ(a.find(world.rank()), round);
    }
    EXPECT_EQ(outer.find(world.rank()), 0);
    if (world.size() == 1) return;
    // If ranks make different maps, all get an error.
    if (world.rank() == 0) {
      EXPECT_THROW((far::hash_map<int, int>(world)), far::bad_argument);
    } else {
      EXPECT_THROW((far::hash_map<int, char>(world)), far::bad_argument);
    }
  });
}

TEST_P(hash_map_test, calls_for_maps_that_are_gone_fail) {
  run([](far::world& world) {
    far::future<std::optional<int>> late;
    {
      far::hash_map<int, int> map(world);
      int key = 0;
      while (map.owner(key) != (world.rank() + 1) % world.size()) ++key;
      late = map.find_async(key);
    }
    // The call may have arrived in time.
    try {
      EXPECT_EQ(late.get(), std::nullopt);
    } catch (const far::fabric_error&) {
    }
  });
}

// An exception on one rank reaches the caller of run, although other ranks wait for that rank.
TEST_P(hash_map_test, an_exception_passes_the_destructor) {
  options.ranks = std::max(options.ranks, 2);  // another rank waits
  EXPECT_THROW(far::run(options,
                        [](far::world& world) {
                          far::hash_map<int, int> map(world);
                          (void)map.insert(world.rank(), 1);
                          if (world.rank() == 1) throw far::out_of_bounds("on purpose");
                        }),
               far::out_of_bounds);
}

TEST_P(hash_map_test, grows) {
  const std::uint64_t count = GetParam().mode == far::job_mode::fibers ? 2000 : 200000;
  seeds = 2;
  run([count](far::world& world) {
    far::hash_map<std::uint64_t, std::uint64_t> map(world);
    if (world.rank() % 2 == 0) map.reserve(count * static_cast<std::uint64_t>(world.size()));
    // In a large simulated job only some ranks insert, because each of them calls all ranks.
    const int inserting = far::test::rounds_in_sim(world, 6, world.size());
    std::vector<std::uint64_t> keys(world.rank() < inserting ? count : 0);
    for (std::uint64_t i = 0; i < keys.size(); ++i) {
      keys[i] =
          i * static_cast<std::uint64_t>(world.size()) + static_cast<std::uint64_t>(world.rank());
    }
    map.insert_many(keys, keys);
    EXPECT_EQ(map.size(), count * static_cast<std::uint64_t>(inserting));
    const auto found = map.find_many(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(found[i], keys[i]);
  });
}

INSTANTIATE_FAR_MODES(hash_map_test);

}  // namespace
