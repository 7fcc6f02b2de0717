#include "far/world/interrupt.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/team/team.hpp"
#include "far/world/run.hpp"

namespace {

using far::job_mode;

far::run_options two_ranks(job_mode mode) {
  far::run_options options;
  options.ranks = 2;
  options.mode = mode;
  return options;
}

/// Rank 0 interrupts after `idle`. Returns how many ranks have been told so.
int interrupted_ranks(job_mode mode, std::chrono::milliseconds idle) {
  std::atomic<int> told{0};
  EXPECT_THROW(far::run(two_ranks(mode),
                        [&](far::world& world) {
                          if (world.rank() == 0) {
                            std::this_thread::sleep_for(idle);
                            far::interrupt();
                          }
                          try {
                            for (;;) far::barrier(world);
                          } catch (const far::interrupted& why) {
                            EXPECT_EQ(why.rank(), world.rank());
                            ++told;
                            throw;
                          }
                        }),
               far::interrupted);
  return told;
}

TEST(Interrupt, EndsAWaitThatSleeps) {
  EXPECT_GE(interrupted_ranks(job_mode::threads, std::chrono::milliseconds(100)), 1);
}

TEST(Interrupt, EndsAWaitThatSpins) {
  EXPECT_GE(interrupted_ranks(job_mode::threads, std::chrono::milliseconds(0)), 1);
}

#ifndef FAR_THREAD_SANITIZER  // which cannot follow fibers
TEST(Interrupt, EndsASimulatedWait) {
  EXPECT_GE(interrupted_ranks(job_mode::fibers, std::chrono::milliseconds(0)), 1);
}

TEST(Interrupt, OutsideOfASimulationHasNoEffect) {
  far::interrupt();
  EXPECT_NO_THROW(
      far::run(two_ranks(job_mode::fibers), [](far::world& world) { far::barrier(world); }));
}
#endif

TEST(Interrupt, OfAProcessFailsItsRank) {
  try {
    far::run(two_ranks(job_mode::processes), [](far::world& world) {
      if (world.rank() == 1) far::interrupt();
      for (;;) far::barrier(world);
    });
    ADD_FAILURE() << "nothing has failed";
  } catch (const far::error& failure) {
    EXPECT_NE(std::string(failure.what()).find("interrupted"), std::string::npos) << failure.what();
  }
}

TEST(Interrupt, ReachesTheServiceThreadToo) {
  far::run_options options = two_ranks(job_mode::threads);
  options.service = true;
  EXPECT_THROW(far::run(options,
                        [](far::world& world) {
                          far::interrupt();
                          for (;;) far::barrier(world);
                        }),
               far::rank_failed);
}

TEST(Interrupt, OutsideOfAJobHasNoEffect) {
  far::interrupt();
  EXPECT_NO_THROW(
      far::run(two_ranks(job_mode::threads), [](far::world& world) { far::barrier(world); }));
}

}  // namespace
