// What the host finds in a queue after a rank has died, compared with what each rank has pushed and
// popped.

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/containers.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/containers/queue/ring_user.hpp"
#include "far/team/team.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"
#include "test/support/queue_history.hpp"

namespace {

using far::test::history;
using far::test::number;
using far::test::shared_history;

constexpr int rest_ranks = far::test::queue_users;

/// Pushes and pops spans of one to three values until the job fails, then closes the queue.
/// `each` runs before each round.
template <class Queue, class View>
void use_until_failure(
    const far::world& world, const Queue& queue, View view, history& seen,
    const std::function<void(std::uint32_t)>& each = [](std::uint32_t) {}) {
  try {
    for (std::uint32_t i = 0;; ++i) {
      each(i);
      if (seen.is_full(world.rank())) far::barrier(world);  // for ever
      seen.push(world, view, 1 + i % 3);
      seen.pop(world, view, 1 + i / 3 % 3);
    }
  } catch (const far::error&) {
    if (world.rank() == queue.host()) seen.close(queue);
    throw;
  }
}

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

/// How often the host has found values of each kind.
struct findings {
  int left = 0;
  int popping = 0;
  int pushing = 0;

  void add(const history& seen) {
    left += seen.left() > 0 ? 1 : 0;
    popping += seen.popping() > 0 ? 1 : 0;
    pushing += seen.pushing() > 0 ? 1 : 0;
  }
};

/// Lets a rank die at each of its fabric calls in turn. `use(world, seen)` runs until the job
/// fails.
findings find_what_deaths_leave(const std::function<void(const far::world&, history&)>& use,
                                bool in_phases) {
  findings found;
  auto seen = std::make_unique<shared_history>();
  far::test::expect_death_is_told([&](const far::world& world) { use(world, **seen); },
                                  [&] {
                                    (*seen)->check(0, in_phases);
                                    found.add(**seen);
                                    seen = std::make_unique<shared_history>();
                                  });
  return found;
}

TEST(killed_queue_user_test, leaves_what_was_pushed) {
  const auto expect_all = [](const findings& found) {
    EXPECT_GT(found.left, 0);
    EXPECT_GT(found.popping, 0);
    EXPECT_GT(found.pushing, 0);
  };
  expect_all(find_what_deaths_leave(
      [](const far::world& world, history& seen) {
        const far::queue<number> queue(world, world.size() - 1, 5);
        use_until_failure(world, queue, queue.on(world), seen);
      },
      false));
  expect_all(find_what_deaths_leave(
      [](const far::world& world, history& seen) {
        const far::checksum_queue<number> queue(world, 0, 5);
        use_until_failure(world, queue, queue.on(world), seen);
      },
      false));
#if !defined(__SANITIZE_ADDRESS__)  // what lanes have in flight at a failure leaks, and is reported
  expect_all(find_what_deaths_leave(
      [](const far::world& world, history& seen) {
        const far::queue<number> queue(world, 0, 5);
        const bool calls = world.rank() != 2;  // rank 2 is one-sided, in the way of calls
        use_until_failure(world, queue,
                          queue.with(calls ? far::policy::rpc : far::policy::one_sided), seen);
      },
      false));
#endif
}

TEST(killed_queue_user_test, leaves_what_was_pushed_in_phases) {
  const findings found = find_what_deaths_leave(
      [](const far::world& world, history& seen) {
        const far::queue<number> queue(world, world.size() - 1, 5);
        const auto use_phases = [&] {
          for (;;) {
            {
              auto out = queue.writing();
              for (std::uint32_t i = 1; i < 4; ++i) seen.push(world, out, i % 3 + 1);
            }
            auto in = queue.reading();
            for (std::uint32_t i = 1; i < 3; ++i) seen.pop(world, in, i);
          }
        };
        try {
          use_phases();
        } catch (const far::error&) {
          if (world.rank() == queue.host()) seen.close(queue);
          throw;
        }
      },
      true);
  EXPECT_GT(found.left, 0);
  EXPECT_GT(found.popping, 0);
  EXPECT_GT(found.pushing, 0);
}

TEST(killed_queue_user_test, leaves_what_was_pushed_to_inboxes) {
  const findings found = find_what_deaths_leave(
      [](const far::world& world, history& seen) {
        const far::queues<number> inboxes(world, 5);
        const auto use_phases = [&] {
          for (;;) {
            {
              auto out = inboxes.writing();
              for (std::uint32_t i = 1; i < 4; ++i) seen.push(world, out.at(0), i % 3 + 1);
            }
            auto in = inboxes.local();
            if (world.rank() == 0) seen.pop(world, in, 4);
          }
        };
        try {
          use_phases();
        } catch (const far::error&) {
          if (world.rank() == 0) seen.close(inboxes);
          throw;
        }
      },
      true);
  EXPECT_GT(found.left, 0);
  EXPECT_EQ(found.popping, 0);
  EXPECT_GT(found.pushing, 0);
}

#endif

/// Ranks are threads. One fails, the host learns of it, and the third does not: it continues while
/// the host closes the queue, and after.
template <class Queue>
void expect_rest_among_threads() {
  for (std::uint32_t last = 1; last < 200; last += 20) {
    const shared_history seen;
    far::run_options options;
    options.ranks = rest_ranks;
    EXPECT_THROW(far::run(options,
                          [&](far::world& world) {
                            const Queue queue(world, 0, 5);
                            std::uint32_t after = 0;
                            const auto each = [&](std::uint32_t i) {
                              if (world.rank() == 2 ? !seen->is_closed() || ++after < 20 : i < last)
                                return;
                              if (world.rank() == 1) throw far::bad_argument("enough of this");
                              far::barrier(world);  // waits, and so learns of the failure
                            };
                            use_until_failure(world, queue, queue.on(world), *seen, each);
                          }),
                 far::bad_argument);
    seen->check(0, false);
  }
}

TEST(failed_queue_user_test, leaves_what_was_pushed_to_threads) {
  expect_rest_among_threads<far::queue<number>>();
  expect_rest_among_threads<far::checksum_queue<number>>();
}

/// A rank dies at any instruction. Its last pop may not have been recorded.
template <class Queue>
void expect_rest_among_processes() {
  int closed = 0;
  for (int times = 0; times < 6; ++times) {
    const shared_history seen;
    far::run_options options;
    options.ranks = rest_ranks;
    options.mode = far::job_mode::processes;
    try {
      far::run(options, [&](far::world& world) {
        const Queue queue(world, 0, 5);
        far::barrier(world);
        if (world.rank() == 1) {
          std::thread([times] {
            std::this_thread::sleep_for(std::chrono::microseconds(300 * times));
            raise(SIGKILL);
          }).detach();
        }
        use_until_failure(world, queue, queue.on(world), *seen);
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const far::rank_failed& failure) {
      EXPECT_EQ(failure.rank(), 1);
    }
    closed += seen->is_closed() ? 1 : 0;
    seen->check(3, false);
  }
  EXPECT_GT(closed, 0);
}

TEST(killed_queue_user_test, leaves_what_was_pushed_to_processes) {
  expect_rest_among_processes<far::queue<number>>();
  expect_rest_among_processes<far::checksum_queue<number>>();
}

/// Claims that were made before a ring is closed, by a rank that does not know of the failure yet.
TEST(closed_ring_test, settles_no_claim) {
  namespace containers = far::containers;
  std::atomic<bool> is_claimed = false;
  std::atomic<bool> is_closed = false;
  std::atomic<bool> is_through = false;
  const auto use = [&](const far::world& world, const containers::ring& where) {
    std::uint64_t value = 7;
    auto* const bytes = reinterpret_cast<std::byte*>(&value);
    containers::ring_user user(world, where);
    EXPECT_TRUE(user.try_push(bytes, 1));
    EXPECT_TRUE(user.try_push(bytes, 1));
    const std::uint64_t popped = where.head(world).fetch_add(1);
    const std::uint64_t pushed = where.tail(world).fetch_add(1);
    is_claimed = true;
    while (!is_closed) std::this_thread::yield();
    EXPECT_FALSE(user.try_push(bytes, 1));
    EXPECT_EQ(user.try_pop(bytes, 1), 0u);
    EXPECT_THROW(user.release(popped, 1), far::rank_failed);
    EXPECT_THROW(user.publish(pushed, 1), far::rank_failed);
  };
  const auto body = [&](const far::world& world) {
    const containers::owned_ring there(world, 0, 4, 8, 8, far::amo_domain::cpu, "of the test");
    if (world.rank() == 2) {
      EXPECT_NO_THROW(use(world, *there));
      is_through = true;
    }
    if (world.rank() == 1) {
      while (!is_claimed) std::this_thread::yield();
      throw far::bad_argument("enough of this");
    }
    try {
      far::barrier(world);  // here the others learn of the failure
    } catch (const far::rank_failed&) {
      if (world.rank() == 0) {
        for (int times = 0; times < 2; ++times) {
          const containers::ring_rest rest = containers::close_ring(world, *there);
          EXPECT_EQ(rest.freed, 0u);
          EXPECT_EQ(rest.head, 1u);
          EXPECT_EQ(rest.ready, 2u);
          EXPECT_EQ(rest.tail, 3u);
        }
        is_closed = true;
        while (!is_through) std::this_thread::yield();  // rank 2 still uses the memory of this rank
      }
      throw;
    }
  };
  far::run_options options;
  options.ranks = rest_ranks;
  EXPECT_THROW(far::run(options, body), far::bad_argument);
}

using queue_rest_test = far::test::on_ranks;

TEST_P(queue_rest_test, is_for_jobs_that_have_failed) {
  run([](far::world& world) {
    const far::queue<int> queue(world, 0, 3);
    const far::checksum_queue<int> checked(world, 0, 3);
    const far::queues<int> inboxes(world, 3);
    EXPECT_THROW((void)queue.close(), far::bad_argument);
    EXPECT_THROW((void)checked.close(), far::bad_argument);
    EXPECT_THROW((void)inboxes.close(), far::bad_argument);
  });
}

INSTANTIATE_FAR_MODES_ON(queue_rest_test, 2);

}  // namespace
