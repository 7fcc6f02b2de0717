// far::mpi_rw_lock on every fabric, as published and with its best backoff.

#include "far/sync/mpi_rw_lock.hpp"

#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"
#include "test/support/rw_lock_cases.hpp"

namespace {

using far::back_off;

class mpi_rw_lock_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] bool simulates() const { return GetParam().mode == far::job_mode::fibers; }

  /// Calls the body with the lock's factory, for each backoff.
  template <class Body>
  void run_each(const Body& body) {
    for (const back_off how : {back_off::none, back_off::best}) {
      SCOPED_TRACE(how == back_off::none ? "none" : "best");
      run([&body, how](far::world& world) {
        body(world, [how](const far::world& w) { return far::mpi_rw_lock(w, w.size() / 2, how); });
      });
    }
  }
};

far::test::lock_load load_of_six(const far::world& world, int operations, int max) {
  return {6, far::test::rounds_in_sim(world, operations, max)};
}

TEST_P(mpi_rw_lock_test, excludes_others) {
  seeds = 100;
  run_each([max = simulates() ? 5 : 500](far::world& world, auto make) {
    far::test::excludes_others(world, make, load_of_six(world, 100, max));
  });
}

TEST_P(mpi_rw_lock_test, readers_see_no_writer) {
  seeds = 100;
  run_each([max = simulates() ? 8 : 500](far::world& world, auto make) {
    far::test::readers_see_no_writer(world, make, load_of_six(world, 100, max));
  });
}

TEST_P(mpi_rw_lock_test, readers_share) {
  seeds = 50;
  run_each([](far::world& world, auto make) { far::test::readers_share(world, make); });
}

TEST_P(mpi_rw_lock_test, a_writer_keeps_readers_out) {
  seeds = 50;
  run_each(
      [](far::world& world, auto make) { far::test::a_writer_keeps_readers_out(world, make); });
}

TEST_P(mpi_rw_lock_test, waits_may_end) {
  seeds = 100;
  run_each([max = simulates() ? 5 : 200](far::world& world, auto make) {
    far::test::waits_may_end(world, make, load_of_six(world, 100, max));
    far::test::shared_waits_may_end(world, make, load_of_six(world, 100, max));
  });
}

TEST_P(mpi_rw_lock_test, threads_share_a_rank) {
  seeds = 20;
  run_each([max = simulates() ? 2 : 200](far::world& world, auto make) {
    auto some = load_of_six(world, 300, max);
    some.ranks = 3;
    far::test::threads_share_a_rank(world, make, some);
    far::test::threads_read_and_write(world, make, some);
  });
}

TEST_P(mpi_rw_lock_test, a_free_lock_is_taken_at_once) {
  seeds = 50;
  run_each(
      [](far::world& world, auto make) { far::test::a_free_lock_is_taken_at_once(world, make); });
}

TEST_P(mpi_rw_lock_test, names_its_writer) {
  seeds = 20;
  run([](far::world& world) {
    far::mpi_rw_lock lock(world);
    const int writer = world.size() - 1;
    if (world.rank() == writer) lock.lock();
    far::barrier(world);
    EXPECT_EQ(lock.writer(), writer);
    EXPECT_EQ(lock.is_held(), world.rank() == writer);
    far::barrier(world);
    if (world.rank() == writer) lock.unlock();
    far::barrier(world);
    EXPECT_EQ(lock.writer(), -1);
    lock.lock_shared();
    EXPECT_EQ(lock.writer(), -1);
    lock.unlock_shared();
  });
}

TEST_P(mpi_rw_lock_test, refuses_what_cannot_be) {
  seeds = 20;
  run([](far::world& world) {
    const auto make_at = [](const far::world& w, int home) { return far::mpi_rw_lock(w, home); };
    far::test::refuses_homes_that_there_are_not(world, make_at);
    if (world.size() > 1) {
      EXPECT_THROW((void)make_at(world, world.rank() == 0 ? 1 : 0), far::bad_argument);
    }
  });
  run_each([](far::world& world, auto make) {
    far::test::refuses_misuse(world, make);
    far::test::refuses_misuse_of_sharing(world, make);
  });
}

INSTANTIATE_FAR_MODES(mpi_rw_lock_test);

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

TEST(mpi_rw_lock_test, deaths_are_told) {
  for (const back_off how : {back_off::none, back_off::best}) {
    far::test::expect_death_is_told([how](const far::world& world) {
      far::mpi_rw_lock lock(world, 0, how);
      for (;;) {
        {
          const std::shared_lock guard(lock);
          world.progress();  // the dead rank ends here
        }
        const std::unique_lock guard(lock);
        world.progress();
      }
    });
  }
}

#endif

}  // namespace
