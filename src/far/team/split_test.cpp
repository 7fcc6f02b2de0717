#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/team.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using split_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES(split_test);

/// Expects that every member sees the members `expected` (world ranks).
void expect_members(const world& w, const team& t, const std::vector<int>& expected) {
  ASSERT_TRUE(static_cast<bool>(t));
  ASSERT_EQ(t.size(), static_cast<int>(expected.size()));
  ASSERT_EQ(t.world_rank(t.rank()), w.rank());
  for (int member = 0; member < t.size(); ++member) {
    EXPECT_EQ(t.world_rank(member), expected[static_cast<std::size_t>(member)]);
  }
  EXPECT_EQ(allgather(w, w.rank(), t), expected);
  barrier(w, t);
  EXPECT_EQ(allreduce(w, w.rank(), t), std::accumulate(expected.begin(), expected.end(), 0));
}

std::vector<int> every(int first, int step, int size) {
  std::vector<int> result;
  for (int rank = first; rank < size; rank += step) result.push_back(rank);
  return result;
}

TEST_P(split_test, the_world_is_a_team) {
  run_placed([](world& w) {
    const team all = team::of(w);
    EXPECT_EQ(all.rank(), w.rank());
    EXPECT_EQ(all, team::of(w));
    expect_members(w, all, every(0, 1, w.size()));
  });
}

TEST_P(split_test, members_translate) {
  run_placed([](world& w) {
    const team odd_even = team::of(w).split(w, w.rank() % 2);
    for (int rank = 0; rank < w.size(); ++rank) {
      EXPECT_EQ(odd_even.member_of(rank), rank % 2 == w.rank() % 2 ? rank / 2 : -1);
    }
    EXPECT_THROW((void)odd_even.world_rank(-1), bad_argument);
    EXPECT_THROW((void)odd_even.world_rank(odd_even.size()), bad_argument);
  });
}

TEST_P(split_test, colors_and_keys) {
  run_placed([](world& w) {
    const int n = w.size();
    const team world_team = team::of(w);
    expect_members(w, world_team.split(w, w.rank() % 2), every(w.rank() % 2, 2, n));
    std::vector<int> down = every(0, 1, n);
    std::reverse(down.begin(), down.end());
    expect_members(w, world_team.split(w, 7, -w.rank()), down);
    // Equal keys keep their order: first all even ranks, then all odd ones.
    std::vector<int> mixed = every(0, 2, n);
    for (const int rank : every(1, 2, n)) mixed.push_back(rank);
    expect_members(w, world_team.split(w, 0, w.rank() % 2), mixed);
  });
}

TEST_P(split_test, some_stay_out) {
  run_placed([](world& w) {
    const bool in = w.rank() % 3 != 1;
    const team some = team::of(w).split(w, in ? 5 : team::no_color);
    EXPECT_EQ(static_cast<bool>(some), in);
    if (in) {
      std::vector<int> expected;
      for (int rank = 0; rank < w.size(); ++rank) {
        if (rank % 3 != 1) expected.push_back(rank);
      }
      expect_members(w, some, expected);
    } else {
      EXPECT_THROW((void)some.size(), bad_argument);
      EXPECT_THROW(barrier(w, some), bad_argument);
    }
  });
}

TEST_P(split_test, each_for_itself) {
  run_placed([](world& w) {
    const team alone = team::of(w).split(w, w.rank());
    expect_members(w, alone, {w.rank()});
    EXPECT_EQ(broadcast(w, 3, 0, alone), 3);
    EXPECT_EQ(exclusive_scan(w, 3, 40, std::plus<>{}, alone), 40);
    EXPECT_EQ(alltoallv(w, std::vector{1, 2}, std::vector<std::size_t>{2}, alone),
              (std::vector{1, 2}));
    expect_members(w, alone.split(w, 3), {w.rank()});
  });
}

TEST_P(split_test, splits_of_splits) {
  run_placed([](world& w) {
    const team half = team::of(w).split(w, w.rank() % 2);
    const team reversed = half.split(w, 0, -half.rank());
    const team quarter = reversed.split(w, reversed.rank() % 2);
    std::vector<int> expected = every(w.rank() % 2, 2, w.size());
    std::reverse(expected.begin(), expected.end());
    const bool few = test::rounds_in_sim(w, 70, 2) == 2;  // few ranks, or not simulated
    if (few) expect_members(w, reversed, expected);
    std::vector<int> mine;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (static_cast<int>(i) % 2 == reversed.rank() % 2) mine.push_back(expected[i]);
    }
    expect_members(w, quarter, mine);
    if (!few) return;
    expect_members(w, half, every(w.rank() % 2, 2, w.size()));
    expect_members(w, team::of(w), every(0, 1, w.size()));
  });
}

// The halves make different numbers of calls between collectives of the world.
TEST_P(split_test, disjoint_teams_are_independent) {
  run_placed([](world& w) {
    const int color = w.rank() % 2;
    const team half = team::of(w).split(w, color);
    base::random random(static_cast<std::uint64_t>(color) + 1);
    const int rounds = test::rounds_in_sim(w, 45, 10);
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t steps = random.below(8);
      for (std::uint64_t step = 0; step < steps; ++step) {
        const int root = static_cast<int>(random.below(static_cast<std::uint64_t>(half.size())));
        std::vector<int> list(random.below(3000), half.rank() == root ? round : -1);
        broadcast(w, list, root, half);
        EXPECT_EQ(std::count(list.begin(), list.end(), round), std::ssize(list));
      }
      EXPECT_EQ(allreduce(w, 1), w.size());
    }
  });
}

// More teams than the heap holds at once: destroyed teams free their memory, though members leave
// them at different times.
TEST_P(split_test, teams_come_and_go) {
  const int max = is_simulated() ? 12 : 60;
  run_placed([max](world& w) {
    const int rounds = test::rounds_in_sim(w, 20, max);
    for (int round = 0; round < rounds; ++round) {
      const team t = team::of(w).split(w, w.rank() % 2, round % 3 - w.rank());
      std::vector<int> list(600, t.rank());
      broadcast(w, list, round % t.size(), t);
      EXPECT_EQ(list.back(), round % t.size());
    }
  });
}

TEST_P(split_test, a_color_must_make_sense) {
  run_placed([](world& w) { EXPECT_THROW((void)team::of(w).split(w, -2), bad_argument); });
}

TEST_P(split_test, a_full_heap_is_reported) {
  options.local_bytes = 64 * 1024;
  run_placed([](world& w) {
    std::vector<team> kept;
    const auto split_for_ever = [&] {
      for (;;) kept.push_back(team::of(w).split(w, 0));
    };
    if (w.size() > 1) {
      EXPECT_THROW(split_for_ever(), out_of_memory);
    }
    w.fabric().quiesce(w.context());
  });
}

TEST_P(split_test, one_full_heap_is_reported_to_all) {
  options.local_bytes = 256 * 1024;
  run_placed([](world& w) {
    barrier(w);
    const auto fill = [&] {
      for (;;) (void)allocate_local<std::uint64_t>(w, 8);
    };
    if (w.rank() == 0) {
      EXPECT_THROW(fill(), out_of_memory);
    }
    if (w.size() > 1) {
      EXPECT_THROW((void)team::of(w).split(w, 0), out_of_memory);
    }
    w.fabric().quiesce(w.context());
  });
}

}  // namespace
}  // namespace far
