// What happens to users of a hash table in the segments when a rank dies.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/containers/map/hash_map_test.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using number_map = far::hash_map<std::uint64_t, std::uint64_t>;

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

/// All ranks change the same few keys until the job fails.
void use_for_ever(const far::world& world, far::policy how) {
  const number_map map(world, 3, how);
  for (std::uint64_t i = 0;; ++i) {
    (void)map.update_or_insert(i % 3, std::uint64_t{1}, far::test::add);
    (void)map.find((i + 1) % 3);
    (void)map.erase((i + 2) % 3);
  }
}

TEST(killed_map_user_test, is_named_to_those_who_wait) {
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(world, far::policy::one_sided); });
#if !defined(__SANITIZE_ADDRESS__)  // lanes leak what is in flight when a job fails
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(world, far::policy::rpc); });
#endif
}

/// Changes values until the job fails, then repairs this rank's part. `doubtful`: counts values
/// that may be half written.
void change_until_failure(const far::world& world, int& doubtful) {
  const number_map map(world, 3, far::policy::one_sided);
  try {
    for (std::uint64_t i = 0;; ++i) {
      (void)map.insert_or_assign(i % 3, i);
      (void)map.erase((i + 1) % 3);
    }
  } catch (const far::rank_failed& failure) {
    const std::vector<std::uint64_t> keys = map.release(failure.rank());
    EXPECT_TRUE(map.release(failure.rank()).empty());
    for (const std::uint64_t key : keys) {
      const auto is_key = [key](const auto& item) { return item.key == key; };
      EXPECT_EQ(std::ranges::count_if(map.local(), is_key), 1);
    }
    doubtful += static_cast<int>(keys.size());
    throw;
  }
}

// Wherever a rank dies, the buckets that it had locked name it: survivors find and unlock them.
TEST(killed_map_user_test, leaves_what_can_be_put_right) {
  int doubtful = 0;
  far::test::expect_death_is_told(
      [&](const far::world& world) { change_until_failure(world, doubtful); });
  EXPECT_GT(doubtful, 0);
}

#endif

TEST(killed_map_user_test, is_named_among_processes) {
  for (const far::policy how : {far::policy::one_sided, far::policy::rpc}) {
    far::run_options options;
    options.ranks = 3;
    options.mode = far::job_mode::processes;
    try {
      far::run(options, [how](far::world& world) {
        const number_map map(world, 3, how);
        for (std::uint64_t i = 0;; ++i) {
          if (world.rank() == 1 && i == 1000) raise(SIGKILL);
          (void)map.insert_or_assign(i % 3, i);
        }
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const far::rank_failed& failure) {
      EXPECT_EQ(failure.rank(), 1);
    }
  }
}

}  // namespace
