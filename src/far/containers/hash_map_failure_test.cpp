// What becomes of those who use a hash table in the segments when a rank dies.

#include <csignal>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/hash_map.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using number_map = far::hash_map<std::uint64_t, std::uint64_t>;

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

/// All ranks change the same few keys until the job fails.
void use_for_ever(const far::world& world, far::policy how) {
  const number_map map(world, 3, how);
  const auto add = [](std::uint64_t& value, std::uint64_t more) { value += more; };
  for (std::uint64_t i = 0;; ++i) {
    (void)map.update_or_insert(i % 3, std::uint64_t{1}, add);
    (void)map.find((i + 1) % 3);
    (void)map.erase((i + 2) % 3);
  }
}

TEST(killed_map_user_test, is_named_to_those_who_wait) {
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(world, far::policy::one_sided); });
#if !defined(__SANITIZE_ADDRESS__)  // what lanes have under way when a job fails is left, and told
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(world, far::policy::rpc); });
#endif
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
