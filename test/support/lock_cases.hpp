#pragma once
// What every lock must do, for tests of whatever lock: bodies of ranks, which take the lock's
// factory, make(world), collective.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace far::test {

/// A counter at one rank that is read and written in two steps: exact only under a lock.
class two_step_counter {
 public:
  explicit two_step_counter(const world& world)
      : world_(world), word_(allocate<std::uint64_t>(world)) {
    barrier(world);
  }
  ~two_step_counter() { deallocate(world_, word_.on(world_.rank())); }
  two_step_counter(const two_step_counter&) = delete;
  two_step_counter& operator=(const two_step_counter&) = delete;

  void add(const world& view) const {
    const auto place = word_.on(view.size() - 1);
    put(view, place, get(view, place) + 1);
  }
  [[nodiscard]] std::uint64_t value() const { return get(world_, word_.on(world_.size() - 1)); }

 private:
  world world_;
  ptr<std::uint64_t> word_;
};

/// How much is done with a lock: by the first `ranks`, each so often. A lock whose waiters try
/// again and again takes operations by the square of them.
struct lock_load {
  int ranks = 1;
  int rounds = 1;

  [[nodiscard]] bool includes(const world& view) const { return view.rank() < ranks; }
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

/// Gives up, comes back, and tries without waiting.
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

/// Each of them with three threads.
template <class Make>
void threads_share_a_rank(world& world, const Make& make, const lock_load& load) {
  constexpr int threads = 3;
  auto lock = make(world);
  const two_step_counter counter(world);
  if (load.includes(world)) {
    world.threads(threads, [&](far::world& view) {
      auto mine = lock.on(view);
      for (int i = 0; i < load.rounds; ++i) {
        const std::scoped_lock guard(mine);
        counter.add(view);
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

/// Whatever a rank was doing with the lock when it died: others are told, their guards end quietly,
/// and what it held nobody gets.
/// `also(lock)`: what ranks do beside that.
template <class Make, class Also>
void expect_the_dead_keep_it(const Make& make, const Also& also) {
  constexpr int victim = 1;  // of expect_death_is_told
  int inside = -1;           // all ranks are fibers of this process
  expect_death_is_told([&](const world& world) {
    inside = -1;
    auto lock = make(world);
    const auto critical_section = [&] {
      world.progress();  // where the dead rank itself ends
      EXPECT_EQ(inside, -1);
      inside = world.rank();
      world.context().flush();
      world.progress();
    };
    for (;;) {
      if (world.rank() == victim) {  // whom no guard unwinds
        lock.lock();
        critical_section();
        inside = -1;
        lock.unlock();
      } else {
        const std::unique_lock guard(lock);
        const std::shared_ptr<void> leaves(nullptr, [&](void*) { inside = -1; });
        critical_section();
      }
      also(lock);
    }
  });
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
