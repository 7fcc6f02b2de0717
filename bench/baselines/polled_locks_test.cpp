// The locks with which libfar's are compared are locks.

#include <shared_mutex>

#include <gtest/gtest.h>

#include "bench/baselines/mpi_rw_lock.hpp"
#include "bench/baselines/spin_lock.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"

namespace {

using far::bench::back_off;
using far::bench::mpi_rw_lock;
using far::bench::spin_lock;

using polled_locks_test = far::test::on_ranks;

TEST_P(polled_locks_test, exclude_others) {
  run([](far::world& world) {
    const far::test::lock_load load{8, far::test::rounds_in_sim(world, 60, 8)};
    for (const back_off how : {back_off::none, back_off::best}) {
      far::test::excludes_others(
          world, [how](const far::world& w) { return spin_lock(w, w.size() / 2, how); }, load);
      far::test::excludes_others(
          world, [how](const far::world& w) { return mpi_rw_lock(w, w.size() / 2, how); }, load);
    }
  });
}

TEST_P(polled_locks_test, readers_see_no_writer) {
  run([](far::world& world) {
    mpi_rw_lock lock(world, world.size() - 1);
    const auto words = far::allocate<std::uint64_t>(world, 2);
    const auto first = words.on(0);
    const auto second = words.on(0) + 1;
    far::barrier(world);
    const int rounds = world.rank() < 8 ? far::test::rounds_in_sim(world, 40, 8) : 0;
    for (int i = 0; i < rounds; ++i) {
      if ((i + world.rank()) % 3 == 0) {
        const std::unique_lock guard(lock);
        far::put(world, first, far::get(world, first) + 1);
        far::put(world, second, far::get(world, second) + 1);
      } else {
        const std::shared_lock guard(lock);
        const std::uint64_t seen = far::get(world, first);
        EXPECT_EQ(far::get(world, second), seen);
      }
    }
    far::barrier(world);
    far::deallocate(world, words);
  });
}

INSTANTIATE_FAR_MODES(polled_locks_test);

}  // namespace
