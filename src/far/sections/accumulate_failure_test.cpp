// What happens to accumulates when a rank dies, also while it holds the lock of a rank's memory.

#include <csignal>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/sections/accumulate.hpp"
#include "far/sections/release.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

/// All ranks add to rank 0's numbers until the job fails.
void add_for_ever(const far::world& world, far::section_protocol how) {
  const auto sums = far::allocate<long>(world, 8).on(0);
  const std::vector<long> ones(8, 1);
  world.fabric().quiesce(world.context());
  for (;;) {
    far::accumulate(world, far::patch(sums, 2, 3, 4), 1, far::patch(ones.data(), 2, 3), how);
    (void)world.progress();  // a killed rank learns of it where it could wait
  }
}

TEST(sections_accumulate_failure_test, deaths_are_told) {
  far::test::expect_death_is_told(
      [](const far::world& world) { add_for_ever(world, far::section_protocol::per_segment); });
#if !defined(__SANITIZE_ADDRESS__)  // lanes leak what is in flight when a job fails
  far::test::expect_death_is_told(
      [](const far::world& world) { add_for_ever(world, far::section_protocol::packed); });
  far::test::expect_death_is_told([](const far::world& world) {
    add_for_ever(world, world.rank() == 2 ? far::section_protocol::packed
                                          : far::section_protocol::per_segment);
  });
#endif
}

// Wherever a rank dies, the owner finds out whether it was changing its memory, and which part.
TEST(sections_accumulate_failure_test, owners_repair_the_lock) {
  int interrupted = 0;
  far::test::expect_death_is_told([&](const far::world& world) {
    try {
      add_for_ever(world, far::section_protocol::per_segment);
    } catch (const far::rank_failed&) {
      if (world.rank() == 0) {
        const auto found = far::release_accumulate(world);
        EXPECT_FALSE(far::release_accumulate(world));
        if (found && found->rank == 1) {
          ++interrupted;
          EXPECT_TRUE(found->bytes == 0 || found->bytes == (4 + 3) * sizeof(long));
        }
      }
      throw;
    }
  });
  EXPECT_GT(interrupted, 0);
}

#endif

TEST(sections_accumulate_failure_test, deaths_are_told_among_processes) {
  for (const auto how : {far::section_protocol::automatic, far::section_protocol::packed}) {
    far::run_options options;
    options.ranks = 3;
    options.mode = far::job_mode::processes;
    try {
      far::run(options, [how](far::world& world) {
        const auto sums = far::allocate<long>(world, 8).on(0);
        const std::vector<long> ones(8, 1);
        world.fabric().quiesce(world.context());
        for (int i = 0;; ++i) {
          if (world.rank() == 1 && i == 1000) raise(SIGKILL);
          far::accumulate(world, far::patch(sums, 2, 3, 4), 1, far::patch(ones.data(), 2, 3), how);
          if (how == far::section_protocol::automatic) world.fabric().check_job();
        }
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const far::rank_failed& failure) {
      EXPECT_EQ(failure.rank(), 1);
    }
  }
}

}  // namespace
