// Locks that are destroyed while they are held.

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/far.hpp"

namespace {

template <class Lock>
void leave_locked() {
  far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
    Lock lock(world);
    lock.lock();
  });
}

template <class Lock>
void leave_shared() {
  far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
    Lock lock(world);
    lock.lock_shared();
  });
}

TEST(lock_destruction_test, while_it_is_held_ends_the_program) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not look";
  EXPECT_DEATH(leave_locked<far::mcs_lock>(), "mcs_lock is destroyed while its rank holds it");
  EXPECT_DEATH(leave_locked<far::topology_lock>(), "topology_lock is destroyed while its rank");
  EXPECT_DEATH(leave_locked<far::rw_lock>(), "rw_lock is destroyed while its rank holds it");
}

TEST(lock_destruction_test, while_it_is_shared_ends_the_program) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not look";
  EXPECT_DEATH(leave_shared<far::rw_lock>(), "rw_lock is destroyed while its rank holds it");
}

}  // namespace
