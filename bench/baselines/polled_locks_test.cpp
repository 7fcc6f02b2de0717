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

class polled_locks_test : public far::test::on_ranks {
 protected:
  template <class Lock>
  void expect_exclusion() {
    for (const back_off how : {back_off::none, back_off::best}) {
      run([how](far::world& world) {
        far::test::excludes_others(
            world, [how](const far::world& w) { return Lock(w, w.size() / 2, how); },
            {8, far::test::rounds_in_sim(world, 60, 8)});
      });
    }
  }
};

TEST_P(polled_locks_test, exclude_others) {
  expect_exclusion<spin_lock>();
  expect_exclusion<mpi_rw_lock>();
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
