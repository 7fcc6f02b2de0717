// What happens to users of a store when a rank dies, at any moment.

#include <csignal>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/store/store.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

/// All ranks change and read the same few keys until the job fails.
void use_store_for_ever(const far::world& world, far::copying copies, far::policy reads) {
  const far::store items(
      world, {.memory_bytes = std::uint64_t{1 << 19} * static_cast<unsigned>(world.size()),
              .max_item_bytes = 2000,
              .copies = copies,
              .reads = reads});
  for (std::uint64_t i = 0;; ++i) {
    (void)items.put("k" + std::to_string(i % 3), std::string(i % 200, 'v'));
    (void)items.get("k" + std::to_string((i + 1) % 3));
    (void)items.erase("k" + std::to_string((i + 2) % 3));
  }
}

TEST(killed_store_user_test, is_named_to_those_who_wait) {
  far::test::expect_death_is_told([](const far::world& world) {
    use_store_for_ever(world, far::copying::never, far::policy::one_sided);
  });
#if !defined(__SANITIZE_ADDRESS__)  // lanes leak what is in flight when a job fails
  far::test::expect_death_is_told([](const far::world& world) {
    use_store_for_ever(world, far::copying::always, far::policy::rpc);
  });
#endif
}

#endif

// By instructions: a rank may die with the lock of a part, or in the middle of a change.
TEST(killed_store_user_test, is_named_among_processes) {
  for (int i = 0; i < 5; ++i) {
    far::run_options options;
    options.ranks = 3;
    options.mode = far::job_mode::processes;
    try {
      far::run(options, [i](far::world& world) {
        const far::store items(world, {.memory_bytes = 3 << 19, .max_item_bytes = 2000});
        for (std::uint64_t n = 0;; ++n) {
          if (world.rank() == 1 && n == 2000U + static_cast<unsigned>(i) * 777U) {
            std::raise(SIGKILL);
          }
          const std::string key = "k" + std::to_string(n % 100);
          (void)items.put(key, std::string(n % 300, 'v'));
          (void)items.get(key);
        }
      });
      ADD_FAILURE() << "the job did not fail";
    } catch (const far::rank_failed& failure) {
      EXPECT_EQ(failure.rank(), 1);
    }
  }
}

}  // namespace
