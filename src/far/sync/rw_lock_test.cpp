// far::rw_lock on every fabric, with small elements and various counters.

#include "far/sync/rw_lock.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/jobs.hpp"
#include "test/support/lock_cases.hpp"
#include "test/support/rw_lock_cases.hpp"

namespace {

class rw_lock_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] bool simulates() const { return GetParam().mode == far::job_mode::fibers; }

  /// Calls the body with the lock's factory: with no patience for readers, a little, and much.
  template <class Body>
  void run_each(const Body& body) {
    for (const std::uint64_t readers : {0u, 2u, 1000u}) {
      SCOPED_TRACE(readers);
      run([&body, readers](far::world& world) {
        body(world, [readers](const far::world& w) {
          // None, one or two levels within the job; one, two or three counters.
          const std::vector<int> sizes[] = {{}, {2}, {4, 2}, {8, 4}};
          const int every[] = {0, (w.size() + 1) / 2, (w.size() + 2) / 3};
          far::rw_lock_thresholds thresholds;
          thresholds.counter_every = every[(static_cast<unsigned>(w.size()) + readers) % 3];
          thresholds.max_passes = {1, 2};
          thresholds.max_readers = readers;
          thresholds.patience = readers == 1000 && w.size() % 2 == 0 ? 3 : 0;
          thresholds.min_readers = readers == 1000 ? 5 : 0;
          return far::rw_lock(w, far::lock_levels(w, sizes[w.size() % 4]), thresholds);
        });
      });
    }
  }
};

far::test::lock_load load_of_twelve(const far::world& world, int operations, int max) {
  return {12, far::test::rounds_in_sim(world, operations, max)};
}

TEST_P(rw_lock_test, excludes_others) {
  seeds = 100;
  run_each([max = simulates() ? 10 : 500](far::world& world, auto make) {
    far::test::excludes_others(world, make, load_of_twelve(world, 150, max));
  });
}

TEST_P(rw_lock_test, readers_see_no_writer) {
  seeds = 100;
  run_each([max = simulates() ? 15 : 500](far::world& world, auto make) {
    far::test::readers_see_no_writer(world, make, load_of_twelve(world, 150, max));
  });
}

TEST_P(rw_lock_test, readers_share) {
  seeds = 50;
  run_each([](far::world& world, auto make) { far::test::readers_share(world, make); });
}

TEST_P(rw_lock_test, a_writer_keeps_readers_out) {
  seeds = 50;
  run_each(
      [](far::world& world, auto make) { far::test::a_writer_keeps_readers_out(world, make); });
}

TEST_P(rw_lock_test, waits_may_end) {
  seeds = 100;
  run_each([max = simulates() ? 10 : 200](far::world& world, auto make) {
    far::test::waits_may_end(world, make, load_of_twelve(world, 150, max));
    far::test::shared_waits_may_end(world, make, load_of_twelve(world, 150, max));
  });
}

TEST_P(rw_lock_test, threads_share_a_rank) {
  seeds = 20;
  run_each([max = simulates() ? 5 : 200](far::world& world, auto make) {
    far::test::threads_share_a_rank(world, make, load_of_twelve(world, 400, max));
    far::test::threads_read_and_write(world, make, load_of_twelve(world, 400, max));
  });
}

TEST_P(rw_lock_test, a_free_lock_is_taken_at_once) {
  seeds = 50;
  run_each(
      [](far::world& world, auto make) { far::test::a_free_lock_is_taken_at_once(world, make); });
}

TEST_P(rw_lock_test, refuses_what_cannot_be) {
  seeds = 20;
  run([](far::world& world) {
    const far::lock_levels levels(world);
    EXPECT_THROW(far::rw_lock(world, levels, {.counter_every = -1}), far::bad_argument);
    EXPECT_THROW(far::rw_lock(world, levels, {.max_readers = 1 << 16}), far::bad_argument);
    EXPECT_THROW(far::rw_lock(world, levels, {.patience = -1}), far::bad_argument);
    EXPECT_THROW(far::rw_lock(world, levels, {.max_passes = {}}), far::bad_argument);
    if (world.size() > 1) {
      EXPECT_THROW(far::rw_lock(world, levels, {.counter_every = world.rank() == 0 ? 1 : 2}),
                   far::bad_argument);
      EXPECT_THROW(far::rw_lock(world, levels, {.patience = world.rank() == 0 ? 1 : 2}),
                   far::bad_argument);
      const std::uint64_t readers = world.rank() == 0 ? 1 : 2;
      EXPECT_THROW(far::rw_lock(world, levels, {.min_readers = readers}), far::bad_argument);
    }
  });
  run_each([](far::world& world, auto make) {
    far::test::refuses_misuse(world, make);
    far::test::refuses_misuse_of_sharing(world, make);
    far::test::refuses_other_views(world, make);
  });
}

INSTANTIATE_FAR_MODES(rw_lock_test);

TEST(rw_lock_death_test, who_is_thrown_out_keeps_it) {
  far::test::expect_who_is_thrown_out_keeps_it(
      [](const far::world& world) { return far::rw_lock(world); });
}

#if !defined(__SANITIZE_THREAD__)  // which cannot follow fibers

/// How long a writer waits that last wrote a given time ago, and how many readers enter meanwhile,
/// in simulated time on two machines. All other ranks read until the writer has the lock, or none
/// reads.
struct patience {
  std::uint64_t waited_ns;
  std::uint64_t readers;
};

patience patience_after(std::uint64_t ns, bool others_read, std::uint64_t max_overtakes) {
  patience result{};
  std::uint64_t reads = 0;
  bool over = false;
  far::run({.ranks = 32, .mode = far::job_mode::fibers, .profile = "piz-daint"},
           [&](far::world& world) {
             far::rw_lock lock(world, max_overtakes);
             barrier(world);
             if (world.rank() == 17) {
               lock.lock();
               lock.unlock();
               world.compute(ns);
               const std::uint64_t before = reads;
               const std::uint64_t begin = world.now();
               lock.lock();
               result = {world.now() - begin, reads - before};
               over = true;
               lock.unlock();
             }
             while (others_read && !over) {
               lock.lock_shared();
               ++reads;
               lock.unlock_shared();
             }
             barrier(world);
           });
  return result;
}

TEST(rw_lock_patience_test, lets_readers_come_for_a_part_of_the_writers_time) {
  constexpr std::uint64_t much = std::uint64_t{1} << 17;
  constexpr std::uint64_t to_close = 50'000;
  const patience seldom = patience_after(4'000'000, true, much);
  EXPECT_GE(seldom.waited_ns, 200'000);
  EXPECT_LE(seldom.waited_ns, 200'000 + to_close);
  EXPECT_LE(patience_after(20'000, true, much).waited_ns, to_close);
  // No reader comes: there is nothing to wait for.
  EXPECT_LE(patience_after(4'000'000, false, much).waited_ns, to_close);
  // Not more than the limit, except those that were inside or came while it was being set.
  const patience bounded = patience_after(4'000'000, true, 256);
  EXPECT_GE(bounded.readers, 256);
  EXPECT_LE(bounded.readers, 1024);
  EXPECT_LE(bounded.waited_ns, to_close);
}

/// The same on one machine, for a writer that last wrote a given time ago, where 400 readers should
/// enter between two closings.
patience between_closings(std::uint64_t ns) {
  patience result{};
  std::uint64_t reads = 0;
  bool over = false;
  far::run({.ranks = 16, .mode = far::job_mode::fibers, .profile = "piz-daint"},
           [&](far::world& world) {
             far::rw_lock_thresholds thresholds;
             thresholds.max_readers = 1000;
             thresholds.min_readers = 400;
             far::rw_lock lock(world, thresholds);
             barrier(world);
             if (world.rank() == 7) {
               world.compute(20'000);  // readers are inside by then
               lock.lock();
               const std::uint64_t before = reads;
               lock.unlock();
               world.compute(ns);
               const std::uint64_t begin = world.now();
               lock.lock();
               result = {world.now() - begin, reads - before};
               over = true;
               lock.unlock();
             }
             while (!over && world.rank() != 7) {
               lock.lock_shared();
               ++reads;
               lock.unlock_shared();
             }
             barrier(world);
           });
  return result;
}

TEST(rw_lock_patience_test, counts_readers_since_the_gate_was_closed) {
  const patience at_once = between_closings(0);
  EXPECT_GE(at_once.readers, 400 - 16);
  EXPECT_LE(at_once.readers, 400 + 16);
  // They have come meanwhile, without being let in.
  const patience later = between_closings(200'000);
  EXPECT_GE(later.readers, 1000);
  EXPECT_LE(later.waited_ns, 5'000);
}

TEST(rw_lock_death_test, the_dead_keep_it) {
  for (const std::uint64_t readers : {0u, 2u}) {
    const auto make = [readers](const far::world& world) {
      const far::rw_lock_thresholds thresholds{
          .counter_every = 2, .max_passes = {1}, .max_readers = readers};
      return far::rw_lock(world, far::lock_levels(world, {2}), thresholds);
    };
    far::test::expect_the_dead_keep_it(make, [](auto& lock) {
      lock.lock_shared();
      lock.unlock_shared();
    });
  }
}

#endif

}  // namespace
