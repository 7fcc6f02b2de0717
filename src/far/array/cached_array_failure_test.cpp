// What happens to users of a cached array when a rank dies.

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "far/array/cached_array.hpp"
#include "far/base/error.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using array_type = far::cached_array<std::uint64_t>;

const far::cached_array_options small{
    .chunk = 2, .begins = {}, .cache_bytes = 1, .force_protocol = true};

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // lanes leak what is in flight
/// All ranks access the same few chunks until the job fails.
void use_for_ever(const far::world& world, far::caching how) {
  far::cached_array_options options = small;
  options.how = how;
  const array_type array(world, 8, options);
  for (std::uint64_t i = 0;; ++i) {
    array.put(i % 8, i);
    (void)array.get((i + 3) % 8);
    array.apply((i + 5) % 8, i, std::plus<>());
    (void)array.pin_read((i + 1) % 8);
    const auto lock = array.lock_of(i % 2);
    lock.lock();
    lock.unlock();
  }
}

TEST(killed_cached_array_user_test, is_named_to_those_who_wait) {
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(world, far::caching::always); });
}

TEST(killed_cached_array_user_test, is_named_to_those_who_go_past_the_cache) {
  far::test::expect_death_is_told([](const far::world& world) {
    use_for_ever(world, world.rank() == 0 ? far::caching::always : far::caching::never);
  });
}
#endif

#ifndef __SANITIZE_THREAD__  // which cannot follow fibers
TEST(cached_array_wait_test, pins_in_a_circle_are_named) {
  std::string told;
  try {
    far::run({.ranks = 2, .mode = far::job_mode::fibers}, [](far::world& world) {
      const array_type array(world, 8, small);
      const auto own = static_cast<std::uint64_t>(world.rank());
      const auto mine = array.pin_write(own * 4);
      far::barrier(world);
      (void)array.pin_write((1 - own) * 4);
    });
  } catch (const far::error& failure) {
    told = failure.what();
  }
  EXPECT_NE(told.find("rank 0, context 0 waits for: chunk 2; it pins 0"), std::string::npos)
      << told;
  EXPECT_NE(told.find("rank 1, context 0 waits for: chunk 0; it pins 2"), std::string::npos)
      << told;
}
#endif

TEST(killed_cached_array_user_test, is_named_among_processes) {
  far::run_options options;
  options.ranks = 3;
  options.mode = far::job_mode::processes;
  try {
    far::run(options, [](far::world& world) {
      const array_type array(world, 8, small);
      for (std::uint64_t i = 0;; ++i) {
        if (world.rank() == 1 && i == 1000) raise(SIGKILL);
        array.put(i % 8, i);
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
  }
}

}  // namespace
