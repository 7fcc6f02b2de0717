#pragma once
// Test cases for every lock: bodies of ranks, which take the lock's factory, make(world), which is
// collective.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace far::test {

/// A counter at one rank that is read and written in two steps: it is exact only under a lock.
class two_step_counter {
 public:
  explicit two_step_counter(const world& world)
      : world_(world), word_(allocate<std::uint64_t>(world)) {
    barrier(world);
  }
  ~two_step_counter() { deallocate(world_, word_.on(world_.rank())); }
  two_step_counter(const two_step_counter&) = delete;
  two_step_counter& operator=(const two_step_counter&) = delete;

  void add(const world& world) const {
    const auto place = word_.on(world.size() - 1);
    put(world, place, get(world, place) + 1);
  }
  [[nodiscard]] std::uint64_t value() const { return get(world_, word_.on(world_.size() - 1)); }

 private:
  world world_;
  ptr<std::uint64_t> word_;
};

/// How much is done with a lock: the first `ranks` ranks each do `rounds` rounds. A lock whose
/// waiters poll takes a number of operations that grows with the square of the waiters.
struct lock_load {
  int ranks = 1;
  int rounds = 1;

  [[nodiscard]] bool includes(const world& world) const { return world.rank() < ranks; }
};

template <class Make>
void excludes_others(world& world, const Make& make, const lock_load& load) {
  auto lock = make(world);
  const two_step_counter counter(world);
  for (int i = 0; i < load.rounds && load.includes(world); ++i) {
    const std::unique_lock guard(lock);
    counter.add(world);
  }
  barrier(world);
  EXPECT_EQ(counter.value(),
            static_cast<std::uint64_t>(load.rounds * std::min(load.ranks, world.size())));
  barrier(world);
}

/// Ranks give up, come back, and try without waiting.
template <class Make>
void waits_may_end(world& world, const Make& make, const lock_load& load) {
  using namespace std::chrono_literals;
  auto lock = make(world);
  const two_step_counter counter(world);
  base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
  std::uint64_t held = 0;
  for (int i = 0; i < load.rounds && load.includes(world); ++i) {
    const std::uint64_t how = random.below(4);
    bool mine = true;
    if (how == 0) lock.lock();
    if (how == 1) mine = lock.try_lock();
    if (how == 2) mine = lock.try_lock_for(0ns);
    if (how == 3) mine = lock.try_lock_for(std::chrono::nanoseconds(random.below(20000)));
    EXPECT_EQ(lock.is_held(), mine);
    if (!mine) continue;
    counter.add(world);
    ++held;
    lock.unlock();
  }
  const std::uint64_t all = allreduce(world, held, std::plus<>());
  EXPECT_EQ(counter.value(), all);
  barrier(world);
}

/// Each rank in the load runs three threads.
template <class Make>
void threads_share_a_rank(world& world, const Make& make, const lock_load& load) {
  constexpr int threads = 3;
  auto lock = make(world);
  const two_step_counter counter(world);
  if (load.includes(world)) {
    world.threads(threads, [&](far::world& own) {
      auto mine = lock.on(own);
      for (int i = 0; i < load.rounds; ++i) {
        const std::scoped_lock guard(mine);
        counter.add(own);
      }
    });
  }
  barrier(world);
  EXPECT_EQ(counter.value(),
            static_cast<std::uint64_t>(threads * load.rounds * std::min(load.ranks, world.size())));
  barrier(world);
}

template <class Make>
void a_free_lock_is_taken_at_once(world& world, const Make& make) {
  auto lock = make(world);
  const int turns = std::min(world.size(), rounds_in_sim(world, 60, 5));
  for (int turn = 0; turn < turns; ++turn) {
    if (world.rank() == turn) {
      EXPECT_TRUE(lock.try_lock());
    }
    barrier(world);
    if (world.rank() != turn) {
      EXPECT_FALSE(lock.try_lock());
    }
    barrier(world);
    if (world.rank() == turn) lock.unlock();
    barrier(world);
  }
}

/// `make_at(world, home)`.
template <class MakeAt>
void refuses_homes_that_there_are_not(world& world, const MakeAt& make_at) {
  EXPECT_THROW((void)make_at(world, -1), bad_argument);
  EXPECT_THROW((void)make_at(world, world.size()), bad_argument);
}

/// Whatever a rank was doing with the lock when it died: the others get rank_failed, their guards
/// end quietly, and no rank gets the lock that the dead rank or an interrupted survivor held. The
/// home, which is rank 0, closes the lock. If close returns nothing, no rank was inside, and none
/// enters later. `also(lock)`: what ranks do in addition.
template <class Make, class Also>
void expect_the_dead_keep_it(const Make& make, const Also& also) {
  int inside = -1;  // all ranks are fibers of this process
  bool whole = false;
  std::array<int, 2> told{};  // how often close reported doubt, and whole
  expect_death_is_told([&](const world& world) {
    inside = -1;
    whole = false;
    auto lock = make(world);
    const auto use = [&] {
      const std::unique_lock guard(lock);
      world.progress();  // the dead rank ends here
      EXPECT_EQ(inside, -1);
      EXPECT_FALSE(whole);
      inside = world.rank();
      world.context().flush();
      world.progress();
      inside = -1;
    };
    try {
      for (;;) {
        use();
        also(lock);
      }
    } catch (const error&) {
      if (world.rank() == 0) {
        const std::optional<int> last = lock.close();
        EXPECT_LT(last.value_or(0), world.size());
        whole = !last;
        if (whole) {
          EXPECT_EQ(inside, -1);
        }
        ++told[whole ? 1 : 0];
      }
      throw;
    }
  });
  EXPECT_GT(told[0], 0);
  EXPECT_GT(told[1], 0);
}

/// Ranks are threads. Rank 1 fails, and an exception interrupts rank 2 under the lock, whose home
/// is rank 0.
template <class Make>
void expect_who_is_thrown_out_keeps_it(const Make& make) {
  std::atomic<bool> inside = false;
  std::atomic<bool> thrown_out = false;
  std::optional<int> last;
  const auto body = [&](const world& world) {
    auto lock = make(world);
    const auto word = allocate<std::uint64_t>(world).on(world.rank());
    const auto wait_for_ever = [&] {
      (void)wait_signal(world, word, [](std::uint64_t) { return false; });
    };
    barrier(world);
    if (world.rank() == 1) {
      while (!inside) std::this_thread::yield();
      throw std::runtime_error("fails");
    }
    try {
      std::unique_lock guard(lock, std::defer_lock);
      if (world.rank() == 2) {
        guard.lock();
        inside = true;
      }
      wait_for_ever();
    } catch (const rank_failed&) {
      if (world.rank() == 2) {
        thrown_out = true;
      } else {
        while (!thrown_out) std::this_thread::yield();
        last = lock.close();
      }
      throw;
    }
  };
  run_options options;
  options.mode = job_mode::threads;
  options.ranks = 3;
  EXPECT_THROW(far::run(options, body), std::runtime_error);
  EXPECT_EQ(last, 2);
}

/// In debug builds.
template <class Make>
void refuses_misuse(world& world, const Make& make) {
  if constexpr (base::debug_checks) {
    auto lock = make(world);
    EXPECT_THROW(lock.unlock(), bad_argument);
    if (world.rank() == 0) {
      const std::unique_lock guard(lock);
      EXPECT_THROW(lock.lock(), bad_argument);
      EXPECT_THROW((void)lock.try_lock(), bad_argument);
    }
    barrier(world);
  }
}

}  // namespace far::test
