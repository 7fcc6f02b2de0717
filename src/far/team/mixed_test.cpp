// All collectives in random order with random lengths and roots, on the world and on teams of it:
// state that one call leaves behind must not disturb the next.

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using mixed_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(mixed_test, 2, 3, 4, 7);

using word_list = std::vector<std::uint64_t>;

/// Element i of the list that `member` passes to call `number`.
std::uint64_t element(std::uint64_t number, int member, std::size_t i) {
  return base::mix(number * 1'000'003 + static_cast<std::uint64_t>(member) * 1009 + i);
}

word_list word_list_of(std::uint64_t number, int member, std::size_t length) {
  word_list result(length);
  for (std::size_t i = 0; i < length; ++i) result[i] = element(number, member, i);
  return result;
}

word_list sum_of(std::uint64_t number, int members, std::size_t length) {
  word_list result(length);
  for (int m = 0; m < members; ++m) {
    for (std::size_t i = 0; i < length; ++i) result[i] += element(number, m, i);
  }
  return result;
}

/// Makes one random call; `random` has the same state on all members.
void call_something(const world& w, const team& t, base::random& random) {
  const std::uint64_t number = random();
  const int n = t.size();
  const int root = static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
  constexpr std::size_t longest[] = {1, 4, 100, 1500};
  const std::size_t length = random.below(longest[random.below(4)]);
  word_list mine = word_list_of(number, t.rank(), length);
  switch (random.below(9)) {
    case 0:
      return barrier(w, t);
    case 1:
      broadcast(w, mine, root, t);
      ASSERT_EQ(mine, word_list_of(number, root, length));
      return;
    case 2:
      reduce(w, mine, std::plus<>{}, root, t);
      ASSERT_EQ(mine, t.rank() == root ? sum_of(number, n, length)
                                       : word_list_of(number, t.rank(), length));
      return;
    case 3:
      allreduce(w, mine, t);
      ASSERT_EQ(mine, sum_of(number, n, length));
      return;
    case 4:
      exclusive_scan(w, mine, 0, t);
      ASSERT_EQ(mine, sum_of(number, t.rank(), length));
      return;
    case 5:
      inclusive_scan(w, mine, std::plus<>{}, t);
      ASSERT_EQ(mine, sum_of(number, t.rank() + 1, length));
      return;
    case 6: {
      word_list all;
      if (t.rank() == root) all.resize(length * static_cast<std::size_t>(n));
      gather(w, mine, all, root, t);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], element(number, static_cast<int>(i / length), i % length));
      }
      return;
    }
    case 7: {
      mine.resize(length % (static_cast<std::size_t>(t.rank()) + 2));
      const word_list all = allgatherv(w, mine, t);
      word_list expected;
      for (int m = 0; m < n; ++m) {
        const word_list next = word_list_of(number, m, length % (static_cast<std::size_t>(m) + 2));
        expected.insert(expected.end(), next.begin(), next.end());
      }
      ASSERT_EQ(all, expected);
      return;
    }
    default: {
      std::vector<std::size_t> counts(static_cast<std::size_t>(n), length / 3);
      counts[static_cast<std::size_t>(t.rank())] = 0;
      counts[static_cast<std::size_t>((t.rank() + 1) % n)] = length;
      const word_list from(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), number);
      const word_list got = alltoallv(w, from, counts, t);
      const std::size_t expected =
          n == 1 ? length : length + static_cast<std::size_t>(n - 2) * (length / 3);
      ASSERT_EQ(got, word_list(expected, number));
    }
  }
}

TEST_P(mixed_test, any_order_of_calls) {
  const int calls = is_simulated() ? 25 : 400;
  seeds = 12;
  run_placed([calls](world& w) {
    base::random random(99);
    const team all = team::of(w);
    for (int i = 0; i < calls; ++i) ASSERT_NO_FATAL_FAILURE(call_something(w, all, random));
  });
}

TEST_P(mixed_test, teams_inside_teams) {
  const int calls = is_simulated() ? 20 : 300;
  seeds = 12;
  run_placed([calls](world& w) {
    base::random shared(7);
    std::vector<team> teams{team::of(w)};
    // Rows, columns, and pairs of a grid of two columns.
    teams.push_back(teams[0].split(w, w.rank() / 2));
    teams.push_back(teams[0].split(w, w.rank() % 2, -w.rank()));
    teams.push_back(teams[2].split(w, teams[2].rank() / 2));
    std::vector<base::random> randoms;
    for (const team& t : teams) {
      randoms.emplace_back(static_cast<std::uint64_t>(t.world_rank(0)) + randoms.size() * 100);
    }
    for (int i = 0; i < calls; ++i) {
      const std::size_t which = shared.below(teams.size());
      ASSERT_NO_FATAL_FAILURE(call_something(w, teams[which], randoms[which]));
    }
  });
}

// Heaps of the default size, so that pieces have their usual size.
TEST_P(mixed_test, long_lists) {
  options.local_bytes = 0;
  seeds = 2;
  const int calls = is_simulated() ? 6 : 12;
  run([calls](world& w) {
    base::random random(4);
    for (int i = 0; i < calls; ++i) {
      const std::uint64_t number = random();
      const std::size_t length = 15'000 + random.below(20'000);
      word_list mine = word_list_of(number, w.rank(), length);
      allreduce(w, mine);
      ASSERT_EQ(mine, sum_of(number, w.size(), length));
      const int root = static_cast<int>(random.below(static_cast<std::uint64_t>(w.size())));
      mine = word_list_of(number, w.rank(), length);
      broadcast(w, mine, root);
      ASSERT_EQ(mine, word_list_of(number, root, length));
    }
  });
}

}  // namespace
}  // namespace far
