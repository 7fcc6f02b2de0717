// Teams that their members make alone.

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/deaths.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using members_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES(members_test);

using ranks = std::vector<int>;

bool is_in(const world& w, const ranks& set) {
  return std::find(set.begin(), set.end(), w.rank()) != set.end();
}

ranks active_set(int start, int stride, int size) {
  ranks result;
  for (int i = 0; i < size; ++i) result.push_back(start + i * stride);
  return result;
}

void expect_members(const world& w, const team& t, const ranks& expected) {
  ASSERT_EQ(t.size(), static_cast<int>(expected.size()));
  ASSERT_EQ(t.world_rank(t.rank()), w.rank());
  EXPECT_EQ(allgather(w, w.rank(), t), expected);
  barrier(w, t);
  EXPECT_EQ(allreduce(w, w.rank(), t), std::accumulate(expected.begin(), expected.end(), 0));
}

/// As users do: a team for each set, made when it is first needed.
class cache {
 public:
  explicit cache(const world& w) : world_(&w) {}
  const team& of(const ranks& set) {
    team& there = teams_[set];
    if (!there) there = team::of_members(*world_, set);
    return there;
  }

 private:
  const world* world_;
  std::map<ranks, team> teams_;
};

TEST_P(members_test, sets_of_all_shapes) {
  run_placed([](world& w) {
    const int n = w.size();
    ranks all = active_set(0, 1, n);
    std::vector<ranks> sets{all, active_set(0, 2, (n + 1) / 2), active_set(n - 1, -1, n)};
    if (n > 2) sets.push_back(active_set(1, 2, n / 2));
    if (n > 3) sets.push_back({n - 1, 0, n / 2});
    if (test::rounds_in_sim(w, 150, 2) == 1) sets.resize(1);  // many ranks
    for (const ranks& set : sets) {
      if (is_in(w, set)) expect_members(w, team::of_members(w, set), set);
    }
  });
}

/// Two halves work at the same time, and each rank uses both its half and a set that overlaps both.
/// Members make their teams in different orders.
TEST_P(members_test, orders_do_not_matter) {
  run_placed([](world& w) {
    const int n = w.size();
    const ranks low = active_set(0, 1, (n + 1) / 2);
    const ranks high = active_set((n + 1) / 2, 1, n / 2);
    const ranks middle = active_set(n / 4, 1, std::max(1, n / 2));
    std::vector<ranks> sets{low, high, middle};
    if (w.rank() % 2 == 1) std::reverse(sets.begin(), sets.end());
    cache teams(w);
    for (const ranks& set : sets) {
      if (is_in(w, set)) (void)teams.of(set);
    }
    for (const ranks& set : {low, middle, high}) {
      if (is_in(w, set)) expect_members(w, teams.of(set), set);
    }
  });
}

/// Made lazily: who comes first waits inside the collective for the others to make the team.
TEST_P(members_test, others_need_not_take_part) {
  run_placed([](world& w) {
    if (w.size() < 2) return;
    const ranks pair{w.size() - 1, 0};
    const int rounds = test::rounds_in_sim(w, 60, 10);
    if (is_in(w, pair)) {
      if (w.rank() == 0) w.compute(100'000);
      const team t = team::of_members(w, pair);
      for (int i = 0; i < rounds; ++i) {
        const int root = i % 2;
        EXPECT_EQ(broadcast(w, 10 * i + w.rank(), root, t), 10 * i + t.world_rank(root));
      }
    }
  });
}

/// Collectives of two teams of the same ranks are interleaved, and do not mix: the teams are used
/// in opposite directions.
TEST_P(members_test, equal_sets_are_different_teams) {
  run_placed([](world& w) {
    const ranks all = active_set(0, 1, w.size());
    const team one = team::of_members(w, all);
    const team other = team::of_members(w, all);
    EXPECT_NE(one, other);
    EXPECT_EQ(one, team(one));
    const int rounds = test::rounds_in_sim(w, 60, 10);
    for (int i = 0; i < rounds; ++i) {
      const int last = w.size() - 1;
      const int from_last = broadcast(w, w.rank() == last ? 2 * i : -1, last, one);
      const int from_first = broadcast(w, w.rank() == 0 ? 2 * i + 1 : -1, 0, other);
      EXPECT_EQ(from_last, 2 * i);
      EXPECT_EQ(from_first, 2 * i + 1);
    }
    EXPECT_EQ(allreduce(w, 1), w.size());  // of the world
  });
}

/// More teams than the heap holds at once: they free their memory, though members leave them at
/// different times, and though others may ask for their blocks late.
TEST_P(members_test, teams_come_and_go) {
  const int max = is_simulated() ? 12 : 60;
  run_placed([max](world& w) {
    const int rounds = test::rounds_in_sim(w, 30, max);
    base::random random(3);  // the same on all ranks
    for (int round = 0; round < rounds; ++round) {
      const int size = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(w.size())));
      const int start = static_cast<int>(random.below(static_cast<std::uint64_t>(w.size())));
      ranks set;
      for (int i = 0; i < size; ++i) set.push_back((start + i) % w.size());
      if (!is_in(w, set)) continue;
      const team t = team::of_members(w, set);
      std::vector<int> list(600, t.rank());
      broadcast(w, list, round % t.size(), t);
      EXPECT_EQ(list.back(), round % t.size());
    }
  });
}

TEST_P(members_test, bad_sets_are_refused) {
  run_placed([](world& w) {
    const int me = w.rank();
    const auto refused = [&](const ranks& set) {
      EXPECT_THROW((void)team::of_members(w, set), bad_argument);
    };
    refused({});
    refused({me, me});
    refused({me, -1});
    refused({w.size(), me});
    if (w.size() > 1) refused({(me + 1) % w.size()});
    expect_members(w, team::of_members(w, ranks{me}), {me});
  });
}

#ifndef FAR_THREAD_SANITIZER

/// A member dies before it makes the team.
TEST(members_death_test, a_dead_member_is_named) {
  test::expect_death_is_told([](const world& w) {
    for (;;) {
      const team t = team::of_members(w, ranks{2, 0, 1});
      barrier(w, t);
    }
  });
}

#endif

}  // namespace
}  // namespace far
