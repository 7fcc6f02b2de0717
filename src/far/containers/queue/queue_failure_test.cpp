// Invalid uses of far::queue, its memory after destruction, and what happens when a rank dies.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/containers/containers.hpp"
#include "far/team/team.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using queue_failure_test = far::test::on_ranks;
using number_queue = far::queue<std::uint64_t>;

TEST_P(queue_failure_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    EXPECT_THROW(number_queue(world, world.size(), 1), far::bad_argument);
    EXPECT_THROW(number_queue(world, -1, 1), far::bad_argument);
    EXPECT_THROW(number_queue(world, 0, 0), far::bad_argument);
    EXPECT_THROW(number_queue(world, 0, std::uint64_t{1} << 60), far::bad_argument);
    EXPECT_THROW(number_queue(world, 0, std::uint64_t{1} << 36), far::out_of_memory);
    if (world.size() > 1) {
      EXPECT_THROW(number_queue(world, 0, 10 + (world.rank() == 0 ? 1u : 0u)), far::bad_argument);
      EXPECT_THROW(number_queue(world, world.rank() == 0 ? 1 : 0, 10), far::bad_argument);
      if (world.rank() == 0) {
        EXPECT_THROW((far::queue<std::int64_t>(world, 0, 10)), far::bad_argument);
      } else {
        EXPECT_THROW((number_queue(world, 0, 10)), far::bad_argument);
      }
    }
    number_queue queue(world, 0, 4);
    if (world.rank() != 0) {
      EXPECT_THROW((void)queue.local(), far::bad_argument);
    }
    const std::vector<std::uint64_t> five(5);
    EXPECT_THROW(queue.push(five), far::bad_argument);
    EXPECT_THROW(queue.with(far::policy::rpc).push(five), far::bad_argument);
    EXPECT_THROW((void)queue.writing().try_push(five), far::bad_argument);
    EXPECT_EQ(queue.host(), 0);
    EXPECT_EQ(queue.capacity(), 4u);
  });
}

TEST_P(queue_failure_test, queues_come_and_go) {
  run([](far::world& world) {
    const auto before = far::allocate_local<std::uint64_t>(world);
    number_queue outer(world, 0, 100);
    const int rounds = far::test::rounds_in_sim(world, 60, 10);
    for (int round = 0; round < rounds; ++round) {
      const int host = round % world.size();
      number_queue one(world, host, 1);
      far::queue<char> other(world, host, 7);
      if (world.rank() == 0) {
        EXPECT_TRUE(one.try_push(3));
        EXPECT_TRUE(other.try_push('x'));
        EXPECT_TRUE(outer.try_push(4));
      }
    }
    far::barrier(world);
    std::vector<std::uint64_t> all(100);
    if (world.rank() == world.size() - 1) {
      EXPECT_EQ(outer.try_pop(all), static_cast<std::size_t>(rounds));
    }
    far::deallocate_local(world, before);
  });
}

TEST_P(queue_failure_test, threads_share_a_rank) {
  seeds = 20;
  const int max = GetParam().mode == far::job_mode::fibers ? 10 : 300;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 300, max);
    number_queue queue(world, 0, 5);
    std::vector<std::uint64_t> sums(2);
    if (world.rank() < far::test::rounds_in_sim(world, 60, world.size())) {
      world.threads(2, [&](far::world& own) {
        auto mine = queue.on(own);
        auto calling = queue.on(own).with(far::policy::rpc);
        for (int i = 0; i < rounds; ++i) {
          own.thread() == 0 ? mine.push(1) : calling.push(1);
          sums[static_cast<std::size_t>(own.thread())] +=
              own.thread() == 0 ? calling.pop() : mine.pop();
        }
      });
      EXPECT_EQ(sums[0] + sums[1], 2u * static_cast<unsigned>(rounds));
    }
    far::barrier(world);
    EXPECT_FALSE(queue.try_pop());
  });
}

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

/// Pushes and pops until the job fails.
template <class View>
void use_for_ever(View&& view) {
  for (std::uint64_t i = 0;; ++i) {
    view.push(i);
    (void)view.pop();
  }
}

TEST(killed_queue_user_test, is_named_to_those_who_wait) {
  far::test::expect_death_is_told(
      [](const far::world& world) { use_for_ever(number_queue(world, world.size() - 1, 2)); });
#if !defined(__SANITIZE_ADDRESS__)  // what lanes have in flight at a failure leaks, and is reported
  far::test::expect_death_is_told([](const far::world& world) {
    use_for_ever(number_queue(world, world.size() - 1, 2).with(far::policy::rpc));
  });
#endif
  far::test::expect_death_is_told([](const far::world& world) {
    use_for_ever(far::checksum_queue<std::uint64_t>(world, world.size() - 1, 2));
  });
}

#endif

/// A claim whose rank has died blocks later ones, and their ranks get rank_failed.
TEST_P(queue_failure_test, waiting_ends_when_a_rank_fails) {
  options.ranks = std::max(options.ranks, 2);
  EXPECT_THROW(far::run(options,
                        [](far::world& world) {
                          number_queue queue(world, 0, 2);
                          if (world.rank() == 1) throw far::bad_argument("enough of this");
                          for (;;) (void)queue.pop();
                        }),
               far::bad_argument);
}

TEST(killed_queue_user_test, is_named_among_processes) {
  far::run_options options;
  options.ranks = 3;
  options.mode = far::job_mode::processes;
  try {
    far::run(options, [](far::world& world) {
      number_queue queue(world, 0, 2);
      for (std::uint64_t i = 0;; ++i) {
        if (world.rank() == 1 && i == 1000) raise(SIGKILL);
        queue.push(i);
        (void)queue.pop();
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const far::rank_failed& failure) {
    EXPECT_EQ(failure.rank(), 1);
  }
}

INSTANTIATE_FAR_MODES(queue_failure_test);

}  // namespace
