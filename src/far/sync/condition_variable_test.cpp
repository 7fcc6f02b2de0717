// far::condition_variable_any on every fabric, with locks of each kind.

#include "far/sync/condition_variable.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace {

using namespace std::chrono_literals;

class condition_variable_test : public far::test::on_ranks {
 protected:
  [[nodiscard]] int rounds(int in_fibers, int elsewhere) const {
    return GetParam().mode == far::job_mode::fibers ? in_fibers : elsewhere;
  }
};

/// A word at the last rank.
class shared_number {
 public:
  explicit shared_number(const far::world& world)
      : world_(world), words_(far::allocate<std::uint64_t>(world)) {
    far::barrier(world);
  }
  ~shared_number() { far::deallocate(world_, words_.on(world_.rank())); }
  shared_number(const shared_number&) = delete;
  shared_number& operator=(const shared_number&) = delete;

  [[nodiscard]] std::uint64_t get(const far::world& world) const {
    return far::get(world, place());
  }
  void set(const far::world& world, std::uint64_t value) const { far::put(world, place(), value); }

 private:
  [[nodiscard]] far::ptr<std::uint64_t> place() const { return words_.on(world_.size() - 1); }

  far::world world_;
  far::ptr<std::uint64_t> words_;
};

/// Ranks take turns; all other ranks wait for each turn.
template <class Lock>
void take_turns(far::world& world, Lock& lock, std::uint64_t rounds) {
  far::condition_variable_any changed(world, world.size() / 2);
  const shared_number turn(world);
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const auto me = static_cast<std::uint64_t>(world.rank());
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return turn.get(world) == round * ranks + me; });
    turn.set(world, round * ranks + me + 1);
    changed.notify_all();
  }
  far::barrier(world);
  EXPECT_EQ(turn.get(world), rounds * ranks);
  far::barrier(world);
}

TEST_P(condition_variable_test, turns_go_round) {
  seeds = 50;
  run([max = rounds(2, 50)](far::world& world) {
    if (world.size() > 8) return;  // each turn wakes all ranks
    {
      far::mcs_lock lock(world);
      take_turns(world, lock, static_cast<std::uint64_t>(max));
    }
    far::rw_lock lock(world);
    take_turns(world, lock, static_cast<std::uint64_t>(max));
  });
}

/// As many notify_one as waiters: each ends one wait, and none is lost.
TEST_P(condition_variable_test, one_is_notified) {
  seeds = 50;
  run([](far::world& world) {
    if (world.size() > 24) return;
    far::mcs_lock lock(world);
    far::condition_variable_any changed(world);
    const shared_number tokens(world);
    if (world.rank() > 0) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return tokens.get(world) > 0; });
      tokens.set(world, tokens.get(world) - 1);
    } else {
      for (int i = 1; i < world.size(); ++i) {
        {
          const std::unique_lock guard(lock);
          tokens.set(world, tokens.get(world) + 1);
        }
        changed.notify_one();
      }
    }
    far::barrier(world);
    EXPECT_EQ(tokens.get(world), 0u);
    far::barrier(world);
  });
}

/// Ranks go on in the order in which they came: each notifies one, when it has locked anew. Another
/// that had been notified together with it would come first, and find no notification.
TEST_P(condition_variable_test, one_goes_on_at_a_time) {
  seeds = 50;
  run([](far::world& world) {
    if (world.size() > 24) return;
    far::mcs_lock lock(world);
    far::condition_variable_any changed(world);
    const shared_number arrived(world);
    const shared_number left(world);
    const shared_number notified(world);
    {
      std::unique_lock guard(lock);
      const std::uint64_t ticket = arrived.get(world);
      arrived.set(world, ticket + 1);
      if (ticket + 1 < static_cast<std::uint64_t>(world.size())) {
        changed.wait(guard);
        EXPECT_EQ(notified.get(world), 1u) << "not the only one that was notified";
        EXPECT_EQ(left.get(world), ticket) << "not the one that has waited longest";
        notified.set(world, 0);
        left.set(world, ticket + 1);
      }
    }
    {
      const std::unique_lock guard(lock);
      notified.set(world, 1);
      changed.notify_one();
    }
    far::barrier(world);
    EXPECT_EQ(left.get(world), static_cast<std::uint64_t>(world.size()) - 1);
    far::barrier(world);
  });
}

/// A thread that gives up is not on the list any more: a notification goes to another.
TEST_P(condition_variable_test, waits_may_end) {
  seeds = 50;
  run([](far::world& world) {
    if (world.size() == 1 || world.size() > 24) return;
    far::rw_lock lock(world);
    far::condition_variable_any changed(world);
    const shared_number told(world);
    {
      std::shared_lock guard(lock);
      EXPECT_EQ(changed.wait_for(guard, 0ns), std::cv_status::timeout);
      EXPECT_EQ(changed.wait_for(guard, 3us), std::cv_status::timeout);
      EXPECT_TRUE(guard.owns_lock());
      EXPECT_FALSE(changed.wait_for(guard, 100ns, [] { return false; }));
    }
    far::barrier(world);
    if (world.rank() == world.size() - 1) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return told.get(world) == 1; });
    } else if (world.rank() == 0) {
      const std::unique_lock guard(lock);
      told.set(world, 1);
      changed.notify_one();
    }
    far::barrier(world);
  });
}

TEST_P(condition_variable_test, threads_of_a_rank_wait) {
  seeds = 20;
  run([max = rounds(2, 50)](far::world& world) {
    constexpr std::uint64_t threads = 3;
    if (world.size() > 4) return;
    far::mcs_lock lock(world);
    far::condition_variable_any changed(world);
    const shared_number turn(world);
    const std::uint64_t all = threads * static_cast<std::uint64_t>(world.size());
    world.threads(static_cast<int>(threads), [&](far::world& own) {
      auto mine = lock.on(own);
      auto change = changed.on(own);
      const std::uint64_t me = static_cast<std::uint64_t>(own.rank()) * threads +
                               static_cast<std::uint64_t>(own.thread());
      for (std::uint64_t round = 0; round < static_cast<std::uint64_t>(max); ++round) {
        std::unique_lock guard(mine);
        change.wait(guard, [&] { return turn.get(own) == round * all + me; });
        turn.set(own, round * all + me + 1);
        change.notify_all();
      }
    });
    far::barrier(world);
    EXPECT_EQ(turn.get(world), static_cast<std::uint64_t>(max) * all);
    far::barrier(world);
  });
}

INSTANTIATE_FAR_MODES(condition_variable_test);

}  // namespace
