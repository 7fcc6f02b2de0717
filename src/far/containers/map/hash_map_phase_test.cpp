// Phases in which all ranks only change a hash table, or only look up keys.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/containers/map/hash_map_test.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using hash_map_phase_test = far::test::on_ranks;
using number_map = far::hash_map<std::uint64_t, std::uint64_t>;

template <class View>
concept finds = requires(const View& view) { view.find(std::uint64_t{1}); };
template <class View>
concept inserts = requires(const View& view) { view.insert(std::uint64_t{1}, std::uint64_t{1}); };
static_assert(finds<number_map> && inserts<number_map>);
static_assert(!finds<number_map::writing_view> && inserts<number_map::writing_view>);
static_assert(finds<number_map::reading_view> && !inserts<number_map::reading_view>);

/// The ways to count: by add_or_insert or update_or_insert, one key at a time, started, or in
/// batches.
constexpr unsigned ways_to_count = 8;

template <class View>
void count_in(const View& counts, const std::vector<std::uint64_t>& keys, unsigned way) {
  constexpr std::uint64_t one = 1;
  const std::vector<std::uint64_t> ones(keys.size(), one);
  std::vector<far::future<bool>> started;
  switch (way) {
    case 0:
      for (const std::uint64_t key : keys) (void)counts.add_or_insert(key, one);
      break;
    case 1:
      for (const std::uint64_t key : keys) started.push_back(counts.add_or_insert_async(key, one));
      break;
    case 2:
      (void)counts.add_or_insert_many(keys, ones);
      break;
    case 3:
      (void)counts.add_or_insert_all(keys, one);
      break;
    case 4:
      for (const std::uint64_t key : keys) (void)counts.update_or_insert(key, one, far::test::add);
      break;
    case 5:
      for (const std::uint64_t key : keys) {
        started.push_back(counts.update_or_insert_async(key, one, far::test::add));
      }
      break;
    case 6:
      (void)counts.update_or_insert_many(keys, ones, far::test::add);
      break;
    default:
      (void)counts.update_or_insert_all(keys, one, far::test::add);
  }
  for (auto& each : started) (void)each.get();
}

/// Ranks insert keys that others insert too, change and erase them, and look them up, in phases.
void use_phases(const far::world& world, const number_map& map, unsigned keys) {
  const auto size = static_cast<std::uint64_t>(world.size());
  const auto rank = static_cast<std::uint64_t>(world.rank());
  std::uint64_t mine = 0;
  {
    const auto all = map.writing();
    for (std::uint64_t key = 0; key < keys; ++key) mine += all.insert(key, key) ? 1u : 0u;
    (void)all.insert_async(keys + rank, 1).get();
  }
  EXPECT_EQ(far::allreduce(world, mine, std::plus<>()), keys);
  {
    const auto all = map.reading();
    for (std::uint64_t key = 0; key < keys; ++key) EXPECT_EQ(all.find(key), key);
    EXPECT_FALSE(all.contains(keys + size));
    EXPECT_EQ(all.find_async(keys).get(), 1u);
    const std::vector<std::uint64_t> some{0, keys + size};
    EXPECT_EQ(all.find_many(some), (std::vector<std::optional<std::uint64_t>>{0, std::nullopt}));
  }
  if (world.size() > 30) return;  // enough for a simulation
  {
    const auto all = map.writing();
    for (std::uint64_t key = 0; key < keys; ++key)
      (void)all.update_or_insert(key, rank + 1, far::test::add);
    EXPECT_TRUE(all.erase(keys + rank));
  }
  for (std::uint64_t key = 0; key < keys; ++key) {
    EXPECT_EQ(map.find(key), key + size * (size + 1) / 2);
  }
  EXPECT_EQ(map.size(), keys);
  map.clear();
}

TEST_P(hash_map_phase_test, phases_follow_each_other) {
  const int max = GetParam().mode == far::job_mode::fibers ? 4 : 300;
  run([max](far::world& world) {
    const auto keys = static_cast<unsigned>(far::test::rounds_in_sim(world, 300, max));
    const auto capacity = keys + static_cast<unsigned>(world.size());
    use_phases(world, number_map(world, capacity), keys);
    if (world.size() > 8) return;  // enough for a simulation
    use_phases(world, number_map(world, capacity, far::policy::rpc), keys);
    use_phases(world, number_map(world), keys);
  });
}

/// Adds to three counts, in another way and by another policy each time, and on each rank.
template <class View>
void count_in_turn(const far::world& world, const View& counts, int rounds) {
  constexpr far::policy policies[] = {far::policy::one_sided, far::policy::rpc,
                                      far::policy::automatic};
  const std::vector<std::uint64_t> keys{0, 1, 0, 2};
  for (int i = 0; i < rounds; ++i) {
    const auto turn = static_cast<unsigned>(i + 5 * world.rank());
    count_in(counts.with(policies[turn % std::size(policies)]), keys, turn % ways_to_count);
  }
}

/// The same, by the policy of the view.
template <class View>
void count_in_each_way(const View& counts, int rounds) {
  const std::vector<std::uint64_t> keys{0, 1, 0, 2};
  for (int i = 0; i < rounds; ++i) count_in(counts, keys, static_cast<unsigned>(i) % ways_to_count);
}

// Whatever ranks do at the same time, no count is lost: not even if some of them lock a bucket and
// others, or handlers, add to it by one atomic operation.
TEST_P(hash_map_phase_test, no_count_is_lost) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 1500, fibers ? 4 : 96);
    std::uint64_t counted = 0;  // by each rank
    const bool takes_part = world.rank() < 4;
    for (const far::policy how :
         {far::policy::one_sided, far::policy::rpc, far::policy::automatic}) {
      const number_map counts(world, 10, how);
      for (std::uint64_t key = 0; key < 3 && world.rank() == 0; ++key) (void)counts.insert(key, 0);
      counted = 0;
      {
        const auto all = counts.writing();
        if (takes_part) count_in_each_way(all, rounds);
      }
      if (takes_part) count_in_each_way(counts, rounds);
      {
        const auto all = counts.writing();
        if (takes_part) count_in_turn(world, all, rounds);
      }
      counted = 3 * static_cast<std::uint64_t>(rounds * std::min(world.size(), 4));
      far::barrier(world);
      EXPECT_EQ(counts.find(0), 2 * counted);
      EXPECT_EQ(counts.find(1), counted);
      EXPECT_EQ(counts.find(2), counted);
      if (world.size() > 8) return;  // enough for a simulation
    }
  });
}

/// Changes a key that nobody else uses, in a phase of changes, and then by another way than before.
void change_own_key(const number_map::writing_view& all, std::uint64_t mine, std::uint64_t second) {
  EXPECT_TRUE(all.insert(mine, 1));
  EXPECT_TRUE(all.erase(mine));
  EXPECT_FALSE(all.erase(mine));
  EXPECT_TRUE(all.insert_async(mine, 1).get());
  EXPECT_FALSE(all.insert(mine, 1));
  EXPECT_TRUE(all.erase_async(mine).get());
  EXPECT_TRUE(all.add_or_insert(mine, 1));
  EXPECT_FALSE(all.insert_or_assign(mine, 2));
  EXPECT_FALSE(all.update_or_insert(mine, std::uint64_t{3}, far::test::add));
  EXPECT_TRUE(all.insert(second, 1));
  EXPECT_TRUE(all.with(far::policy::rpc).erase(second));
  EXPECT_TRUE(all.with(far::policy::one_sided).insert(second, 2));
  EXPECT_TRUE(all.with(far::policy::rpc).erase(second));
}

// What a rank does to a key takes place in the order of its program, and when it returns.
TEST_P(hash_map_phase_test, a_rank_sees_its_own_changes) {
  run([](far::world& world) {
    constexpr int crowd = 8;  // enough for a simulation
    const auto mine = static_cast<std::uint64_t>(world.rank());
    const std::uint64_t second = crowd + mine;
    for (const far::policy how :
         {far::policy::one_sided, far::policy::rpc, far::policy::automatic}) {
      const number_map map(world, 2 * crowd, how);
      {
        const auto all = map.writing();
        if (world.rank() < crowd) change_own_key(all, mine, second);
      }
      if (world.rank() < crowd) {
        EXPECT_EQ(map.find(mine), 5u);
        EXPECT_FALSE(map.contains(second));
      }
      if (world.size() > crowd) return;
    }
  });
}

// A rank that has heard of a change from another rank relies on it.
TEST_P(hash_map_phase_test, others_see_what_they_hear_of) {
  run([](far::world& world) {
    const auto ranks = static_cast<std::uint64_t>(world.size());
    const auto mine = static_cast<std::uint64_t>(world.rank());
    const int next = (world.rank() + 1) % world.size();
    const auto inserted = far::allocate<std::uint64_t>(world, 1);
    far::barrier(world);
    const number_map map(world, ranks);
    {
      const auto all = map.writing();
      EXPECT_TRUE(all.insert(mine, 1));
      far::notify(world, far::signal_of(inserted.on(next), 1));
      far::wait_signal(world, inserted.on(world.rank()), far::at_least{1});
      EXPECT_TRUE(all.erase((mine + ranks - 1) % ranks));
    }
    EXPECT_EQ(map.size(), 0u);
    far::deallocate(world, inserted);
  });
}

TEST_P(hash_map_phase_test, misuse_of_phases_is_caught) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not look";
  run([](far::world& world) {
    const number_map map(world, 10);
    if (world.size() > 1) {
      const bool writes = world.rank() == 0;
      try {
        if (writes) {
          (void)map.writing();
        } else {
          (void)map.reading();
        }
        ADD_FAILURE() << "they differ";
      } catch (const far::bad_argument& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("rank 0 begins a phase by writing(), rank 1 one by reading()"),
                  std::string::npos)
            << text;
      }
    }
    (void)map.insert(1, 1);
  });
}

TEST(hash_map_phase, use_of_the_map_in_a_phase_ends_the_program) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not look";
  const auto breaks = [] {
    far::run_options options;
    options.ranks = 1;
    options.mode = far::job_mode::threads;
    far::run(options, [](far::world& world) {
      const number_map map(world, 10);
      const auto all = map.reading();
      (void)map.insert(1, 1);
    });
  };
  EXPECT_DEATH(breaks(), "rank 0 uses a hash_map by a view for any time.*reading\\(\\)");
}

INSTANTIATE_FAR_MODES(hash_map_phase_test);

}  // namespace
