// far::mcs_lock on every fabric.

#include "far/sync/mcs_lock.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"

namespace {

class mcs_lock_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] int rounds(int in_fibers, int elsewhere) const {
    return GetParam().mode == far::job_mode::fibers ? in_fibers : elsewhere;
  }
};

far::mcs_lock make(const far::world& world) { return far::mcs_lock(world, world.size() / 2); }
far::mcs_lock make_at_0(const far::world& world) { return far::mcs_lock(world); }

far::test::lock_load load(const far::world& world, int operations, int max) {
  return {world.size(), far::test::rounds_in_sim(world, operations, max)};
}

TEST_P(mcs_lock_test, excludes_others) {
  run([max = rounds(20, 1000)](far::world& world) {
    far::test::excludes_others(world, make, load(world, 25, max));
  });
}

TEST_P(mcs_lock_test, waits_may_end) {
  run([max = rounds(10, 300)](far::world& world) {
    far::test::waits_may_end(world, make, load(world, 20, max));
  });
}

TEST_P(mcs_lock_test, threads_share_a_rank) {
  seeds = 20;
  run([max = rounds(10, 300)](far::world& world) {
    far::test::threads_share_a_rank(world, make, load(world, 60, max));
  });
}

TEST_P(mcs_lock_test, a_free_lock_is_taken_at_once) {
  run([](far::world& world) { far::test::a_free_lock_is_taken_at_once(world, make); });
}

TEST_P(mcs_lock_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    far::test::refuses_homes_that_there_are_not(
        world, [](const far::world& w, int home) { return far::mcs_lock(w, home); });
    if (world.size() > 1) {
      EXPECT_THROW(far::mcs_lock(world, world.rank() == 0 ? 1 : 0), far::bad_argument);
    }
    far::test::refuses_misuse(world, make);
  });
}

TEST_P(mcs_lock_test, closes_in_failed_jobs_only) {
  run([](far::world& world) {
    far::mcs_lock lock(world);
    EXPECT_THROW((void)lock.close(), far::bad_argument);
    barrier(world);
  });
}

INSTANTIATE_FAR_MODES(mcs_lock_test);

TEST(mcs_lock_death_test, is_closed_by_a_process) {
  void* const shared =
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  int& last = *static_cast<int*>(shared);
  std::vector<far::job_mode> modes{far::job_mode::processes};
#ifdef FAR_TEST_UCX
  setenv("UCX_TLS", "tcp,self", 0);
  modes.push_back(far::job_mode::ucx);
#endif
  for (const far::job_mode mode : modes) {
    last = -1;
    far::run_options options;
    options.mode = mode;
    options.ranks = 3;
    options.ranks_per_node = 1;  // used by UCX only
    const auto body = [&last](far::world& world) {
      far::mcs_lock lock(world);
      if (world.rank() == 1) lock.lock();
      try {
        barrier(world);
        if (world.rank() == 1) raise(SIGKILL);
        barrier(world);
      } catch (const far::rank_failed&) {
        if (world.rank() == 0) last = lock.close().value_or(-1);
        throw;
      }
    };
    EXPECT_THROW(far::run(options, body), far::rank_failed);
    EXPECT_EQ(last, 1);
  }
  munmap(shared, sizeof(int));
}

TEST(mcs_lock_death_test, who_is_thrown_out_keeps_it) {
  far::test::expect_who_is_thrown_out_keeps_it(make_at_0);
}

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

/// In simulated time: rank 0 gives up again and again, while ranks on other nodes reach the place
/// that it has left. They take about 10 us to remove it, and rank 0 does not wait for that.
TEST(mcs_lock_deadline_test, is_kept_where_a_place_is_being_removed) {
  constexpr std::uint64_t to_give_up = 8'000;  // for standing behind another node, and leaving
  std::uint64_t longest = 0;
  std::uint64_t given_up = 0;
  far::run({.ranks = 49, .mode = far::job_mode::fibers, .profile = "piz-daint"},
           [&](far::world& world) {
             constexpr int rounds = 200;
             far::mcs_lock lock(world);
             barrier(world);
             for (int i = 0; i < rounds && world.rank() % 16 == 0; ++i) {
               const std::uint64_t begin = world.now();
               if (world.rank() != 0) {
                 lock.lock();
               } else if (!lock.try_lock_until(begin)) {
                 longest = std::max(longest, world.now() - begin);
                 ++given_up;
                 continue;
               }
               lock.unlock();
             }
             barrier(world);
           });
  EXPECT_GT(given_up, 100);
  EXPECT_LE(longest, to_give_up);
}

TEST(mcs_lock_death_test, the_dead_keep_it) {
  far::test::expect_the_dead_keep_it(make_at_0, [](auto&) {});
}

#endif

}  // namespace
