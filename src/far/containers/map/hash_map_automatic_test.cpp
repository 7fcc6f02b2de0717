// policy::automatic on a simulated machine, whose clock is exact. Its time is compared with the
// time of either way alone.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/containers/map/hash_map_test.hpp"
#include "far/far.hpp"

namespace {

using map_type = far::hash_map<std::uint64_t, std::uint64_t>;

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

constexpr int ranks = 8;
constexpr std::uint64_t keys = 4096;

/// How long a rank computes before its i-th operation, in virtual ns.
using computation = std::uint64_t (*)(int i);

void on_machine(const char* name, const far::program& program) {
  far::run({.ranks = ranks, .mode = far::job_mode::fibers, .ranks_per_node = 1, .profile = name},
           program);
}

/// Virtual ns that all operations of a rank take, on average; its computations do not count.
template <class Operation>
std::uint64_t time_of(const char* machine, far::policy how, int operations, computation between,
                      Operation operation) {
  std::uint64_t mean = 0;
  on_machine(machine, [&](far::world& world) {
    const map_type map(world, 2 * keys, how);
    for (std::uint64_t key = 0; key < keys; ++key) {
      if (key % ranks == static_cast<unsigned>(world.rank())) map.insert(key, key);
    }
    far::barrier(world);
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    std::uint64_t spent = 0;
    for (int i = 0; i < operations; ++i) {
      world.compute(between(i));
      const std::uint64_t begin = world.now();
      operation(map, random.below(keys));
      spent += world.now() - begin;
    }
    mean = far::allreduce(world, spent, std::plus<>()) / ranks;
  });
  return mean;
}

void find(const map_type& map, std::uint64_t key) { (void)map.find(key); }
void assign(const map_type& map, std::uint64_t key) { (void)map.insert_or_assign(key, key); }

/// The fraction by which automatic takes longer than the better way.
template <class Operation>
double loss(const char* machine, int operations, computation between, Operation operation) {
  const auto best =
      std::min(time_of(machine, far::policy::one_sided, operations, between, operation),
               time_of(machine, far::policy::rpc, operations, between, operation));
  const auto seen = time_of(machine, far::policy::automatic, operations, between, operation);
  return static_cast<double>(seen) / static_cast<double>(best) - 1;
}

constexpr computation attentive = [](int) -> std::uint64_t { return 0; };
constexpr computation busy = [](int) -> std::uint64_t { return 128'000; };

// On the first of these machines one-sided operations always cost less. On the other, calls cost
// less while ranks are attentive.
TEST(hash_map_automatic_test, loses_little_however_attentive_the_ranks_are) {
  for (const char* const machine : {"cori-aries", "cx4-100g"}) {
    for (const computation between : {attentive, busy}) {
      EXPECT_LT(loss(machine, 4000, between, find), 0.1) << machine << ' ' << between(0) << " ns";
      EXPECT_LT(loss(machine, 4000, between, assign), 0.1) << machine << ' ' << between(0) << " ns";
    }
  }
}

TEST(hash_map_automatic_test, is_better_than_either_way_where_phases_change) {
  const computation by_turns = [](int i) -> std::uint64_t {
    return i / 1000 % 2 == 0 ? 0 : 64'000;
  };
  EXPECT_LT(loss("cx4-100g", 4000, by_turns, assign), -0.1);
}

TEST(hash_map_automatic_test, counts_what_it_chooses) {
  on_machine("cx4-100g", [](far::world& world) {
    const map_type map(world, 100);
    EXPECT_EQ(map.choices().one_sided + map.choices().calls, 0u);
    std::uint64_t elsewhere = 0;
    for (std::uint64_t key = 0; key < 100; ++key) {
      if (key % 10 != 0) {
        (void)map.insert_or_assign(key, key);
      } else {
        (void)map.insert_or_assign_async(key, key).get();
      }
      if (map.owner(key) != world.rank()) ++elsewhere;
    }
    const far::model::choice_counts counts = map.choices();
    EXPECT_EQ(counts.one_sided + counts.calls, elsewhere);
    EXPECT_GT(counts.calls, 0u);
    EXPECT_NE(map.explain().find("assign"), std::string::npos) << map.explain();
    EXPECT_EQ(map.with(far::policy::rpc).choices().calls,
              counts.calls);  // for the map, not the view
    far::barrier(world);
  });
}

TEST(hash_map_automatic_test, batches_choose_too) {
  on_machine("cx4-100g", [](far::world& world) {
    const map_type map(world, keys);
    std::vector<std::uint64_t> all(keys);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    constexpr int rounds = 5;
    for (int i = 0; i < rounds; ++i) (void)map.update_or_insert_many(all, all, far::test::add);
    EXPECT_EQ(map.choices().one_sided + map.choices().calls, unsigned{rounds * (ranks - 1)});
    far::barrier(world);
    for (const std::uint64_t key : all) {
      if (map.owner(key) != world.rank()) continue;
      EXPECT_EQ(map.find(key), key * rounds * ranks);
    }
    far::barrier(world);
  });
}

/// Finds batches of keys while the first `computing` ranks compute between their batches. Returns
/// virtual ns per key, on average. `seen`: what a rank that does not compute has chosen after the
/// time for learning.
std::uint64_t time_of_batches(far::policy how, int computing,
                              far::model::choice_counts* seen = nullptr) {
  constexpr std::size_t batch = 256;
  constexpr std::uint64_t learning_ns = 8'000'000;
  std::uint64_t mean = 0;
  on_machine("cx4-100g", [&](far::world& world) {
    const map_type map(world, 2 * keys, how);
    for (std::uint64_t key = 0; key < keys; ++key) {
      if (map.owner(key) == world.rank()) map.insert(key, key);
    }
    far::barrier(world);
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    std::vector<std::uint64_t> some(batch);
    const std::uint64_t start = world.now();
    far::model::choice_counts before;
    std::uint64_t spent = 0;
    std::uint64_t done = 0;
    while (world.now() - start < 3 * learning_ns) {
      if (world.rank() < computing) world.compute(64'000);
      for (std::uint64_t& key : some) key = random.below(keys);
      const std::uint64_t begin = world.now();
      if (begin - start < learning_ns) before = map.choices();
      const auto found = map.find_many(some);
      for (std::size_t i = 0; i < batch; ++i) ASSERT_EQ(found[i], some[i]);
      if (begin - start < learning_ns) continue;
      spent += world.now() - begin;
      done += batch;
    }
    mean = far::allreduce(world, spent / done, std::plus<>()) / ranks;
    if (seen != nullptr && world.rank() == ranks - 1) {
      *seen = map.choices();
      seen->one_sided -= before.one_sided;
      seen->calls -= before.calls;
      const std::string text = map.explain();
      EXPECT_NE(text.find("left out rank 0, "), std::string::npos) << text;
    }
    far::barrier(world);
  });
  return mean;
}

// One rank of eight computes: its keys are accessed one-sided, those of the others by calls.
TEST(hash_map_automatic_test, batches_choose_for_each_rank) {
  far::model::choice_counts seen;
  const auto automatic = time_of_batches(far::policy::automatic, 1, &seen);
  const double to_each = static_cast<double>(seen.one_sided + seen.calls) / (ranks - 1);
  EXPECT_GT(static_cast<double>(seen.one_sided), 0.8 * to_each);
  EXPECT_LT(static_cast<double>(seen.one_sided), 2.5 * to_each);
  EXPECT_LT(automatic, 0.95 * static_cast<double>(time_of_batches(far::policy::one_sided, 1)));
  EXPECT_LT(automatic, 0.95 * static_cast<double>(time_of_batches(far::policy::rpc, 1)));
}

TEST(hash_map_automatic_test, batches_lose_little_where_all_ranks_are_alike) {
  for (const int computing : {0, ranks}) {
    const auto best = std::min(time_of_batches(far::policy::one_sided, computing),
                               time_of_batches(far::policy::rpc, computing));
    const auto automatic = time_of_batches(far::policy::automatic, computing);
    EXPECT_LT(static_cast<double>(automatic), 1.1 * static_cast<double>(best)) << computing;
  }
}

#endif

TEST(hash_map_automatic_test, is_one_sided_on_one_machine) {
  far::run({.ranks = 2, .mode = far::job_mode::threads}, [](far::world& world) {
    const map_type map(world, 100);
    for (std::uint64_t key = 0; key < 50; ++key) (void)map.insert_or_assign(key, key);
    EXPECT_EQ(map.choices().one_sided + map.choices().calls, 0u);
    EXPECT_NE(map.explain().find("one machine"), std::string::npos) << map.explain();
    far::barrier(world);
  });
}

}  // namespace
