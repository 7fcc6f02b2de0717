// far::topology_lock on every fabric, with small elements.

#include "far/sync/topology_lock.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"

namespace {

class topology_lock_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] int rounds(int in_fibers, int elsewhere) const {
    return GetParam().mode == far::job_mode::fibers ? in_fibers : elsewhere;
  }
};

/// None, one or two levels within the job.
far::topology_lock make_topology(const far::world& world) {
  const std::vector<int> sizes[] = {{}, {2}, {4, 2}, {8, 4}};
  return far::topology_lock(world, far::lock_levels(world, sizes[world.size() % 4]), {2});
}

far::test::lock_load topology_load(const far::world& world, int operations, int max) {
  return {world.size(), far::test::rounds_in_sim(world, operations, max)};
}

TEST_P(topology_lock_test, excludes_others) {
  run([max = rounds(20, 1000)](far::world& world) {
    far::test::excludes_others(world, make_topology, topology_load(world, 45, max));
  });
}

TEST_P(topology_lock_test, waits_may_end) {
  run([max = rounds(10, 300)](far::world& world) {
    far::test::waits_may_end(world, make_topology, topology_load(world, 40, max));
  });
}

TEST_P(topology_lock_test, threads_share_a_rank) {
  seeds = 20;
  run([max = rounds(10, 300)](far::world& world) {
    far::test::threads_share_a_rank(world, make_topology, topology_load(world, 120, max));
  });
}

TEST_P(topology_lock_test, a_free_lock_is_taken_at_once) {
  run([](far::world& world) { far::test::a_free_lock_is_taken_at_once(world, make_topology); });
}

TEST_P(topology_lock_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    EXPECT_THROW(far::topology_lock(world, std::vector<std::uint64_t>{}), far::bad_argument);
    if (world.size() > 1) {
      const std::uint64_t passes = world.rank() == 0 ? 1 : 2;
      EXPECT_THROW(far::topology_lock(world, {passes}), far::bad_argument);
    }
    far::test::refuses_misuse(world, make_topology);
  });
}

INSTANTIATE_FAR_MODES(topology_lock_test);

TEST(topology_lock_death_test, who_is_thrown_out_keeps_it) {
  far::test::expect_who_is_thrown_out_keeps_it(make_topology);
}

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

TEST(topology_lock_death_test, the_dead_keep_it) {
  far::test::expect_the_dead_keep_it(make_topology, [](auto&) {});
}

#endif

}  // namespace
