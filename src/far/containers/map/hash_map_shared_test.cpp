// The hash table in the segments on every fabric, one-sided and by calls.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/containers/map/hash_map_test.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"
#include "test/support/map_oracle.hpp"

namespace {

using hash_map_shared_test = far::test::on_ranks;

/// A value of `Bytes` bytes that all depend on its number, so that a mixture of values shows.
template <std::size_t Bytes>
struct value_of {
  std::array<std::uint8_t, Bytes> bytes;

  explicit value_of(std::uint64_t number = 0) {
    for (std::size_t i = 0; i < Bytes; ++i) {
      bytes[i] = static_cast<std::uint8_t>((number >> 8 * (i % 2)) + i / 2);
    }
  }
  bool operator==(const value_of&) const = default;
};
static_assert(sizeof(value_of<12>) == 12);

/// A key that is not a word.
struct place {
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t layer = 0;

  place() = default;
  explicit place(std::uint64_t number)
      : row(static_cast<int>(number % 5)), column(static_cast<int>(number / 5)) {}
  bool operator==(const place&) const = default;
};

}  // namespace

template <>
struct std::hash<place> {
  std::size_t operator()(const place& p) const noexcept {
    return static_cast<std::size_t>(p.row + 5 * p.column);
  }
};

namespace {

/// How many operations of the fabric an operation of a map may take in a simulation.
constexpr int max_verbs = 20;

/// How many rounds a test does: `simulated` in a simulation, else `here`, or a fifth of `here`
/// where each step crosses a network.
int max_rounds(far::job_mode mode, int simulated, int here) {
  if (mode == far::job_mode::fibers) return simulated;
  return mode == far::job_mode::ucx ? here / 5 : here;
}

/// Whether a rank uses the same keys as others at the same time. More such ranks in a simulation
/// would only retry.
bool is_in_crowd(const far::world& world) { return world.rank() < 6; }

/// The policies to test; in a large job only one of them.
std::vector<far::policy> policies(const far::world& world) {
  const std::vector<far::policy> all{far::policy::one_sided, far::policy::rpc,
                                     far::policy::automatic};
  if (world.size() <= 20) return all;
  return {all[static_cast<unsigned>(world.size()) % all.size()]};
}

template <class K, class V>
void compare_with_oracle(const far::world& world, far::policy how, int rounds, std::uint64_t keys) {
  const auto capacity = keys * static_cast<std::uint64_t>(world.size());
  far::test::compare_with_oracle(world, far::hash_map<K, V>(world, capacity, how), rounds, keys);
}

void compare_all(far::world& world, far::policy how, int max) {
  const int kinds = far::test::rounds_in_sim(world, 60, 4);
  const int rounds = far::test::rounds_in_sim(world, max_verbs * kinds, max);
  far::test::call_some(
      world, kinds,
      {[&] { compare_with_oracle<std::uint64_t, std::uint64_t>(world, how, rounds, 100); },
       [&] { compare_with_oracle<int, bool>(world, how, rounds, 50); },
       [&] { compare_with_oracle<place, value_of<12>>(world, how, rounds, 30); },
       [&] { compare_with_oracle<std::uint32_t, value_of<4096>>(world, how, rounds, 10); }});
}

TEST_P(hash_map_shared_test, one_sided_equals_an_oracle) {
  const int max = max_rounds(GetParam().mode, 40, 1000);
  run([max](far::world& world) { compare_all(world, far::policy::one_sided, max); });
}

TEST_P(hash_map_shared_test, chosen_ways_equal_an_oracle) {
  const int max = max_rounds(GetParam().mode, 40, 1000);
  run([max](far::world& world) { compare_all(world, far::policy::automatic, max); });
}

TEST_P(hash_map_shared_test, calls_equal_an_oracle) {
  const int max = max_rounds(GetParam().mode, 40, 1000);
  run([max](far::world& world) { compare_all(world, far::policy::rpc, max); });
}

TEST_P(hash_map_shared_test, batches_equal_single_operations) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    // One-sided, a key costs about 60 operations in all.
    const int keys = far::test::rounds_in_sim(world, 250, fibers ? 30 : 1500);
    for (const far::policy how : policies(world)) {
      const far::hash_map<std::uint64_t, std::uint64_t> map(
          world, 3u * static_cast<unsigned>(keys * world.size()), how);
      far::test::compare_batches(world, map, static_cast<std::size_t>(keys));
    }
    if (world.size() > 40) return;  // enough for a simulation
    const far::hash_map<std::uint64_t, std::uint64_t> map(world, 10);
    EXPECT_TRUE(map.find_many({}).empty());
    const std::vector<std::uint64_t> two{1, 2};
    EXPECT_THROW((void)map.insert_many(two, std::vector<std::uint64_t>{1}), far::bad_argument);
  });
}

// All ranks count the same keys, one-sided and by calls at the same time: no count is lost.
TEST_P(hash_map_shared_test, one_sided_and_calls_mix) {
  const int max = max_rounds(GetParam().mode, 8, 2000);
  run([max](far::world& world) {
    const far::hash_map<std::uint64_t, std::uint64_t> counts(world, 10, far::policy::one_sided);
    const auto by_calls = counts.with(far::policy::rpc);
    // Ranks that wait for others retry many times.
    const int rounds = far::test::rounds_in_sim(world, 25 * max_verbs, max);
    const std::vector<std::uint64_t> keys{0, 1, 2, 0};
    for (int i = 0; i < rounds && is_in_crowd(world); ++i) {
      const auto key = static_cast<std::uint64_t>(i % 3);
      (void)counts.update_or_insert(key, std::uint64_t{1}, far::test::add);
      (void)by_calls.update_or_insert(key, std::uint64_t{1}, far::test::add);
      if (i % 4 != 0) continue;
      (void)by_calls.update_or_insert_all(keys, std::uint64_t{1}, far::test::add);
      (void)counts.update_or_insert_all(keys, std::uint64_t{1}, far::test::add);
    }
    far::barrier(world);
    std::uint64_t sum = 0;
    for (const auto [key, count] : counts.local()) {
      EXPECT_EQ(counts.owner(key), world.rank());
      sum += count;
    }
    const auto batches = static_cast<std::uint64_t>(rounds + 3) / 4;
    const auto each = 2 * static_cast<std::uint64_t>(rounds) + 8 * batches;
    const auto crowd = static_cast<std::uint64_t>(std::min(world.size(), 6));
    EXPECT_EQ(far::allreduce(world, sum, std::plus<>()), each * crowd);
  });
}

// Every rank inserts the same keys: for each key, insert returns true on one rank.
TEST_P(hash_map_shared_test, a_key_is_inserted_once) {
  const int max = max_rounds(GetParam().mode, 8, 2000);
  run([max](far::world& world) {
    const int keys = far::test::rounds_in_sim(world, 5 * max_verbs, max);
    const far::hash_map<int, int> map(world, static_cast<unsigned>(keys));
    int mine = 0;
    for (int key = 0; key < keys; ++key) mine += map.insert(key, world.rank()) ? 1 : 0;
    EXPECT_EQ(far::allreduce(world, mine, std::plus<>()), keys);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(keys));
    int winner = 0;
    for (int key = 0; key < keys; ++key) winner += map.find(key) == world.rank() ? 1 : 0;
    EXPECT_EQ(winner, mine);
  });
}

TEST_P(hash_map_shared_test, asynchronous_operations_overlap) {
  run([](far::world& world) {
    const int n = far::test::rounds_in_sim(world, 4 * max_verbs, 40);
    for (const far::policy how : policies(world)) {
      const far::hash_map<int, int> map(world, static_cast<unsigned>(n * world.size()), how);
      const auto key = [&](int i) { return i * world.size() + world.rank(); };
      std::vector<far::future<bool>> inserted;
      for (int i = 0; i < n; ++i) inserted.push_back(map.insert_async(key(i), i));
      for (auto& f : inserted) EXPECT_TRUE(f.get());
      std::vector<far::future<std::optional<int>>> found;
      for (int i = 0; i < n; ++i) found.push_back(map.find_async(key(i)));
      for (int i = 0; i < n; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)].get(), i);
      auto chained = map.erase_async(key(0)).then([&map, &key](bool erased) {
        EXPECT_TRUE(erased);
        return map.contains_async(key(0));
      });
      EXPECT_FALSE(chained.get());
    }
  });
}

TEST_P(hash_map_shared_test, functions_that_throw_change_nothing) {
  run([](far::world& world) {
    const auto refuse = [](int&, int) { throw far::bad_argument("no"); };
    for (const far::policy how : policies(world)) {
      const far::hash_map<int, int> map(world, 2u * static_cast<unsigned>(world.size()), how);
      const int there = world.rank();
      (void)map.insert(there, 5);
      EXPECT_THROW((void)map.update_or_insert(there, 1, refuse), far::bad_argument);
      EXPECT_THROW(map.update_or_insert_async(there, 1, refuse).get(), far::bad_argument);
      const std::vector<int> one{there};
      EXPECT_THROW((void)map.update_or_insert_all(one, 1, refuse), far::bad_argument);
      EXPECT_EQ(map.find(there), 5);
      // A key that is not there.
      const auto refuse_text = [](int&, const std::vector<int>&) { throw far::bad_argument("no"); };
      const int missing = world.size() + world.rank();
      EXPECT_THROW((void)map.update_or_insert(missing, one, refuse_text), far::bad_argument);
      EXPECT_FALSE(map.contains(missing));
      EXPECT_TRUE(map.insert(missing, 6));
      EXPECT_EQ(map.find(missing), 6);
    }
  });
}

TEST_P(hash_map_shared_test, threads_share_a_rank) {
  options.service = true;
  seeds = 10;
  const int max = max_rounds(GetParam().mode, 10, 500);
  run([max](far::world& world) {
    const auto rounds =
        static_cast<std::uint64_t>(far::test::rounds_in_sim(world, 12 * max_verbs, max));
    const far::hash_map<std::uint64_t, std::uint64_t> map(world, 10);
    world.threads(3, [&](far::world& own) {
      const auto mine = map.on(own);
      for (std::uint64_t i = 0; i < rounds && is_in_crowd(world); ++i) {
        (void)mine.update_or_insert(i % 7, std::uint64_t{1}, far::test::add);
        EXPECT_TRUE(mine.find(i % 7));
        (void)mine.with(far::policy::rpc).update_or_insert(i % 7, std::uint64_t{1}, far::test::add);
      }
      far::flush(own);
    });
    far::barrier(world);
    std::uint64_t sum = 0;
    for (const auto [key, value] : map.local()) sum += value;
    EXPECT_EQ(far::allreduce(world, sum, std::plus<>()),
              6 * rounds * static_cast<std::uint64_t>(std::min(world.size(), 6)));
  });
}

TEST_P(hash_map_shared_test, the_interface_may_do_the_atomics) {
  const int max = max_rounds(GetParam().mode, 8, 300);
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 3 * max_verbs, max);
    const auto capacity = static_cast<std::uint64_t>(10 * world.size());
    far::test::compare_with_oracle(
        world,
        far::hash_map<std::uint64_t, std::uint64_t>(
            world, capacity, {.how = far::policy::one_sided, .domain = far::amo_domain::nic}),
        rounds, 10);
  });
}

TEST_P(hash_map_shared_test, the_local_part_is_this_ranks) {
  run([](far::world& world) {
    const far::hash_map<int, int> map(world, 60);
    for (int i = world.rank(); i < 60; i += world.size()) EXPECT_TRUE(map.insert(i, i));
    for (int i = world.rank(); i < 60; i += 3 * world.size()) EXPECT_TRUE(map.erase(i));
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
    EXPECT_EQ(far::allreduce(world, items, std::plus<>()), map.size());
    map.clear();
    EXPECT_EQ(map.size(), 0u);
    EXPECT_FALSE(map.contains(1));
  });
}

INSTANTIATE_FAR_MODES(hash_map_shared_test);

}  // namespace
