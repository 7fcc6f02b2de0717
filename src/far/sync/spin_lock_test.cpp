// far::spin_lock on every fabric, as published and with its best backoff.

#include "far/sync/spin_lock.hpp"

#include <mutex>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"

namespace {

using far::back_off;

class spin_lock_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] bool simulates() const { return GetParam().mode == far::job_mode::fibers; }

  /// Calls the body with the lock's factory, for each backoff.
  template <class Body>
  void run_each(const Body& body) {
    for (const back_off how : {back_off::none, back_off::best}) {
      SCOPED_TRACE(how == back_off::none ? "none" : "best");
      run([&body, how](far::world& world) {
        body(world, [how](const far::world& w) { return far::spin_lock(w, w.size() / 2, how); });
      });
    }
  }
};

far::test::lock_load load_of_eight(const far::world& world, int operations, int max) {
  return {8, far::test::rounds_in_sim(world, operations, max)};
}

TEST_P(spin_lock_test, excludes_others) {
  seeds = 100;
  run_each([max = simulates() ? 8 : 500](far::world& world, auto make) {
    far::test::excludes_others(world, make, load_of_eight(world, 60, max));
  });
}

TEST_P(spin_lock_test, waits_may_end) {
  seeds = 100;
  run_each([max = simulates() ? 8 : 200](far::world& world, auto make) {
    far::test::waits_may_end(world, make, load_of_eight(world, 60, max));
  });
}

TEST_P(spin_lock_test, threads_share_a_rank) {
  seeds = 20;
  run_each([max = simulates() ? 3 : 200](far::world& world, auto make) {
    auto some = load_of_eight(world, 200, max);
    some.ranks = 4;
    far::test::threads_share_a_rank(world, make, some);
  });
}

TEST_P(spin_lock_test, a_free_lock_is_taken_at_once) {
  seeds = 50;
  run_each(
      [](far::world& world, auto make) { far::test::a_free_lock_is_taken_at_once(world, make); });
}

TEST_P(spin_lock_test, names_its_holder) {
  seeds = 20;
  run([](far::world& world) {
    far::spin_lock lock(world);
    EXPECT_EQ(lock.holder(), -1);
    far::barrier(world);
    const int holder = world.size() - 1;
    if (world.rank() == holder) lock.lock();
    far::barrier(world);
    EXPECT_EQ(lock.holder(), holder);
    EXPECT_EQ(lock.is_held(), world.rank() == holder);
    far::barrier(world);
    if (world.rank() == holder) lock.unlock();
    far::barrier(world);
    EXPECT_EQ(lock.holder(), -1);
    far::barrier(world);
  });
}

TEST_P(spin_lock_test, refuses_what_cannot_be) {
  seeds = 20;
  run([](far::world& world) {
    const auto make_at = [](const far::world& w, int home) { return far::spin_lock(w, home); };
    far::test::refuses_homes_that_there_are_not(world, make_at);
    if (world.size() > 1) {
      EXPECT_THROW((void)make_at(world, world.rank() == 0 ? 1 : 0), far::bad_argument);
    }
  });
  run_each([](far::world& world, auto make) { far::test::refuses_misuse(world, make); });
}

INSTANTIATE_FAR_MODES(spin_lock_test);

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

TEST(spin_lock_test, deaths_are_told) {
  for (const back_off how : {back_off::none, back_off::best}) {
    far::test::expect_death_is_told([how](const far::world& world) {
      far::spin_lock lock(world, 0, how);
      for (;;) {
        const std::unique_lock guard(lock);
        world.progress();  // the dead rank ends here
      }
    });
  }
}

#endif

}  // namespace
