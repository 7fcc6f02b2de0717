// A rank that dies while others wait for it in a collective.

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/team/team.hpp"
#include "test/support/deaths.hpp"
#include "test/support/placements.hpp"

namespace far {
namespace {

class failure_test : public test::on_placed_ranks {
 protected:
  /// Rank 1 throws after some calls; all others must get an error that names it.
  void expect_failure_is_told(const std::function<void(world&, int)>& collective) {
    run_to_failure<bad_argument>(
        [&](world& w) {
          try {
            for (int round = 0;; ++round) {
              if (w.rank() == 1 && round == 3) throw bad_argument("enough of this");
              collective(w, round);
            }
          } catch (const rank_failed& failure) {
            EXPECT_EQ(failure.rank(), 1);
            throw;
          }
        },
        [](const std::string& what) {
          EXPECT_NE(what.find("enough of this"), std::string::npos) << what;
        });
  }
};
INSTANTIATE_FAR_MODES_ON(failure_test, 2, 3, 5);

TEST_P(failure_test, death_inside_a_barrier) {
  expect_failure_is_told([](world& w, int) { barrier(w); });
}

// Ranks that leave a failed job release their memory.
TEST_P(failure_test, is_why_memory_of_another_rank_is_gone) {
  expect_failure_is_told([](world& w, int) {
    try {
      barrier(w);
    } catch (const rank_failed&) {
      const fabric::address gone((w.rank() + 1) % w.size(), 0, std::uint64_t{1} << 40);
      EXPECT_THROW(w.fabric().check_bounds(gone, 8), rank_failed);
      throw;
    }
  });
}

std::vector<int> long_list(const world& w) { return std::vector<int>(20'000, w.rank()); }

TEST_P(failure_test, death_inside_other_collectives) {
  seeds = 3;
  expect_failure_is_told([](world& w, int) {
    auto mine = long_list(w);
    allreduce(w, mine);
  });
  expect_failure_is_told([](world& w, int round) {
    auto mine = long_list(w);
    broadcast(w, mine, round % w.size());
    reduce(w, mine, std::plus<>{}, 0);
  });
  expect_failure_is_told([](world& w, int) { (void)allgatherv(w, long_list(w)); });
  expect_failure_is_told([](world& w, int) {
    const team half = team::of(w).split(w, w.rank() % 2);
    barrier(w, half);
  });
}

#ifndef FAR_THREAD_SANITIZER

// A dead rank must not go on with results that never came, nor touch what it has unwound.
TEST(killed_rank_test, goes_on_with_nothing) {
  test::expect_death_is_told([](const world& w) {
    const std::vector<std::uint64_t> mine(1000, static_cast<std::uint64_t>(w.rank()));
    for (;;) {
      const std::vector<std::uint64_t> all = allgatherv(w, mine);
      ASSERT_EQ(all.size(), 1000u * static_cast<unsigned>(w.size()));
      ASSERT_EQ(all.back(), static_cast<unsigned>(w.size()) - 1);
      barrier(w);
    }
  });
}

#endif

TEST(killed_rank_test, is_named_to_those_in_a_barrier) {
  run_options options;
  options.ranks = 4;
  options.mode = job_mode::processes;
  try {
    test::run(options, [](world& w) {
      for (int round = 0;; ++round) {
        if (w.rank() == 1 && round == 100) raise(SIGKILL);
        barrier(w);
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
  }
}

}  // namespace
}  // namespace far
