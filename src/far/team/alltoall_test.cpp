#include "far/team/alltoall.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

using alltoall_test = test::on_placed_ranks;
INSTANTIATE_FAR_MODES_ON(alltoall_test, 1, 2, 3, 5, 8);

using list = std::vector<std::uint32_t>;
using counts = std::vector<std::size_t>;

/// The piece that rank `from` sends to rank `to` in a round.
list piece_of(int round, int from, int to, std::size_t length) {
  base::random random(static_cast<std::uint64_t>(round * 10'000 + from * 100 + to));
  list result(length);
  for (auto& x : result) x = static_cast<std::uint32_t>(random());
  return result;
}

void append(list& to, const list& more) { to.insert(to.end(), more.begin(), more.end()); }

TEST_P(alltoall_test, equal_pieces) {
  std::vector<std::size_t> sizes{0, 1, 16, 500, 5000};
  if (!is_simulated()) sizes.push_back(20'000);
  run_placed([&](world& w) {
    for (const std::size_t size : sizes) {
      list from;
      list expected;
      for (int other = 0; other < w.size(); ++other) {
        append(from, piece_of(0, w.rank(), other, size));
        append(expected, piece_of(0, other, w.rank(), size));
      }
      list to(from.size());
      alltoall(w, from, to);
      ASSERT_EQ(to, expected);
    }
  });
}

/// The pieces of a round. Every rank computes all lengths: many pieces are empty, few are long.
struct round_of_pieces {
  list from;
  counts to_each;
  list expected;
  counts from_each;

  round_of_pieces(const world& w, int round, std::size_t longest) {
    base::random random(static_cast<std::uint64_t>(round));
    for (int s = 0; s < w.size(); ++s) {
      for (int t = 0; t < w.size(); ++t) {
        const std::uint64_t kind = random.below(4);
        const std::size_t length = random.below(kind == 0 ? 1 : kind == 1 ? longest : 50);
        if (s == w.rank()) {
          append(from, piece_of(round, s, t, length));
          to_each.push_back(length);
        }
        if (t == w.rank()) {
          append(expected, piece_of(round, s, t, length));
          from_each.push_back(length);
        }
      }
    }
  }
};

TEST_P(alltoall_test, random_pieces) {
  const int rounds = is_simulated() ? 6 : 30;
  const std::size_t longest = is_simulated() ? 3000 : 12'000;
  run_placed([&](world& w) {
    for (int round = 0; round < rounds; ++round) {
      const round_of_pieces plan(w, round, longest);
      list to(plan.expected.size());
      alltoallv(w, plan.from, plan.to_each, to, plan.from_each);
      ASSERT_EQ(to, plan.expected);
    }
  });
}

TEST_P(alltoall_test, unknown_pieces) {
  const int rounds = is_simulated() ? 6 : 30;
  run_placed([&](world& w) {
    for (int round = 0; round < rounds; ++round) {
      const round_of_pieces plan(w, round, 3000);
      counts from_each;
      ASSERT_EQ(alltoallv(w, plan.from, plan.to_each, &from_each), plan.expected);
      ASSERT_EQ(from_each, plan.from_each);
    }
  });
}

TEST_P(alltoall_test, lists_must_fit) {
  run_placed([](world& w) {
    const auto n = static_cast<std::size_t>(w.size());
    list from(n);
    list to(n);
    const counts ones(n, 1);
    EXPECT_THROW(alltoallv(w, from, counts(n + 1, 1), to, ones), bad_argument);
    EXPECT_THROW(alltoallv(w, from, ones, to, counts(n, 2)), bad_argument);
    EXPECT_THROW(alltoallv(w, list(n + 1), ones, to, ones), bad_argument);
    EXPECT_THROW(alltoall(w, from, list(n + 1)), bad_argument);
    if (n > 1) {
      EXPECT_THROW(alltoall(w, list(n + 1), list(n + 1)), bad_argument);
    }
  });
}

TEST_P(alltoall_test, counts_that_disagree_are_reported) {
  if constexpr (!base::debug_checks) GTEST_SKIP() << "release builds do not check";
  if (options.ranks == 1) return;  // no other rank to disagree with
  std::string what;
  try {
    run([](world& w) {
      const auto n = static_cast<std::size_t>(w.size());
      counts to_each(n, 1);
      if (w.rank() == 0) to_each[1] = 2;
      const list from(w.rank() == 0 ? n + 1 : n);
      list to(n);
      alltoallv(w, from, to_each, to, counts(n, 1));
    });
  } catch (const bad_argument& error) {
    what = error.what();
  }
  EXPECT_NE(what.find("rank 0 sends 2 elements to rank 1, which expects 1"), std::string::npos)
      << what;
}

}  // namespace
}  // namespace far
