#pragma once
// Test cases for every reader-writer lock, in addition to lock_cases.hpp and in the same form.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "test/support/lock_cases.hpp"

namespace far::test {

/// Two words at one rank. A writer changes one after the other, and a reader gets one after the
/// other; a reader finds them equal only under a lock.
class pair_of_words {
 public:
  explicit pair_of_words(const world& world)
      : world_(world), words_(allocate<std::uint64_t>(world, 2)) {
    barrier(world);
  }
  ~pair_of_words() { deallocate(world_, words_.on(world_.rank())); }
  pair_of_words(const pair_of_words&) = delete;
  pair_of_words& operator=(const pair_of_words&) = delete;

  void write(const world& world) const {
    const auto words = place(world);
    const std::uint64_t next = get(world, words) + 1;
    put(world, words, next);
    put(world, words + 1, next);
  }
  /// Returns how often they have been written.
  std::uint64_t read(const world& world) const {
    const auto words = place(world);
    const std::uint64_t second = get(world, words + 1);  // in the opposite order to the writer
    const std::uint64_t first = get(world, words);
    EXPECT_EQ(first, second);
    return first;
  }

 private:
  [[nodiscard]] ptr<std::uint64_t> place(const world& world) const {
    return words_.on(world.size() - 1);
  }

  world world_;
  ptr<std::uint64_t> words_;
};

/// One round in three writes, the others read.
template <class Make>
void readers_see_no_writer(world& world, const Make& make, const lock_load& load) {
  auto lock = make(world);
  const pair_of_words words(world);
  base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
  std::uint64_t written = 0;
  std::uint64_t last = 0;
  for (int i = 0; i < load.rounds && load.includes(world); ++i) {
    if (random.below(3) == 0) {
      const std::unique_lock guard(lock);
      words.write(world);
      ++written;
    } else {
      const std::shared_lock guard(lock);
      const std::uint64_t now = words.read(world);
      EXPECT_GE(now, last);
      last = now;
    }
  }
  const std::uint64_t all = allreduce(world, written, std::plus<>());
  EXPECT_EQ(words.read(world), all);
  barrier(world);
}

/// All ranks are inside at once, and a writer enters only when all have left.
template <class Make>
void readers_share(world& world, const Make& make) {
  auto lock = make(world);
  lock.lock_shared();
  EXPECT_TRUE(lock.is_shared());
  EXPECT_FALSE(lock.is_held());
  barrier(world);  // would hang if one reader kept another out
  lock.unlock_shared();
  world.context().flush();
  barrier(world);
  if (world.rank() == 0) {
    lock.lock_shared();
    EXPECT_TRUE(lock.is_shared());
  }
  barrier(world);
  if (world.rank() != 0) {
    EXPECT_FALSE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock_for(std::chrono::nanoseconds(1)));
  }
  barrier(world);
  if (world.rank() == 0) lock.unlock_shared();
  world.context().flush();
  barrier(world);
  if (world.rank() == world.size() - 1) {
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
  }
  barrier(world);
}

/// A writer inside keeps out readers, which may give up. Later they enter at once.
template <class Make>
void a_writer_keeps_readers_out(world& world, const Make& make) {
  auto lock = make(world);
  const int writer = world.size() / 2;
  if (world.rank() == writer) lock.lock();
  barrier(world);
  if (world.rank() != writer) {
    EXPECT_FALSE(lock.try_lock_shared());
    EXPECT_FALSE(lock.try_lock_shared_for(std::chrono::nanoseconds(1)));
    EXPECT_FALSE(lock.try_lock_shared_until(0));
    EXPECT_FALSE(lock.is_shared());
  }
  barrier(world);
  if (world.rank() == writer) lock.unlock();
  barrier(world);
  EXPECT_TRUE(lock.try_lock_shared());
  barrier(world);
  lock.unlock_shared();
}

/// Readers and writers that give up, come back, and try without waiting.
template <class Make>
void shared_waits_may_end(world& world, const Make& make, const lock_load& load) {
  auto lock = make(world);
  const pair_of_words words(world);
  base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
  std::uint64_t written = 0;
  for (int i = 0; i < load.rounds && load.includes(world); ++i) {
    const std::chrono::nanoseconds time(random.below(20000));
    const std::uint64_t how = random.below(6);
    if (how < 2 ? lock.try_lock_for(time) : how == 2 && lock.try_lock()) {
      words.write(world);
      ++written;
      lock.unlock();
    } else if (how == 3 ? lock.try_lock_shared_for(time) : how == 4 && lock.try_lock_shared()) {
      words.read(world);
      lock.unlock_shared();
    } else if (how == 5) {
      const std::shared_lock guard(lock);
      words.read(world);
    }
  }
  const std::uint64_t all = allreduce(world, written, std::plus<>());
  EXPECT_EQ(words.read(world), all);
  barrier(world);
}

/// Each rank has threads that write and threads that read.
template <class Make>
void threads_read_and_write(world& world, const Make& make, const lock_load& load) {
  constexpr int threads = 3;
  auto lock = make(world);
  const pair_of_words words(world);
  if (load.includes(world)) {
    world.threads(threads, [&](far::world& own) {
      auto mine = lock.on(own);
      for (int i = 0; i < load.rounds; ++i) {
        if (own.thread() == 0) {
          const std::scoped_lock guard(mine);
          words.write(own);
        } else {
          const std::shared_lock guard(mine);
          words.read(own);
        }
      }
    });
  }
  barrier(world);
  EXPECT_EQ(words.read(world),
            static_cast<std::uint64_t>(load.rounds * std::min(load.ranks, world.size())));
  barrier(world);
}

/// In debug builds.
template <class Make>
void refuses_other_views(world& world, const Make& make) {
  if constexpr (base::debug_checks) {
    auto lock = make(world);
    auto other = lock.on(world);
    if (world.rank() == 0) {
      const std::unique_lock guard(lock);
      EXPECT_THROW(other.unlock(), bad_argument);
    }
    barrier(world);
  }
}

/// In debug builds.
template <class Make>
void refuses_misuse_of_sharing(world& world, const Make& make) {
  if constexpr (base::debug_checks) {
    auto lock = make(world);
    EXPECT_THROW(lock.unlock_shared(), bad_argument);
    {
      const std::shared_lock guard(lock);
      EXPECT_THROW(lock.lock(), bad_argument);
      EXPECT_THROW((void)lock.try_lock(), bad_argument);
      EXPECT_THROW(lock.lock_shared(), bad_argument);
      EXPECT_THROW((void)lock.try_lock_shared(), bad_argument);
      EXPECT_THROW(lock.unlock(), bad_argument);
    }
    barrier(world);
  }
}

}  // namespace far::test
