// The queue whose slots have checksums, on every fabric.

#include "far/containers/queue/checksum_queue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using checksum_queue_test = far::test::on_ranks;
using checked_queue = far::checksum_queue<std::uint64_t>;

template <std::size_t Bytes>
using checked_value_of = std::array<std::uint8_t, Bytes>;

/// A value that differs from its neighbours in every byte.
template <std::size_t Bytes>
checked_value_of<Bytes> checked_value(int number) {
  checked_value_of<Bytes> value;
  for (std::size_t i = 0; i < Bytes; ++i)
    value[i] = static_cast<std::uint8_t>(number * 3 + 7 * int(i));
  return value;
}

int checked_users(const far::world& world) {
  return far::test::rounds_in_sim(world, 30, world.size());
}

/// Whether a job of this size runs case `number` of `of`. Each case makes a queue, so a job with
/// many simulated ranks runs only one of the cases.
bool tries_case(const far::world& world, int number, int of) {
  return world.size() <= 20 || world.size() % of == number;
}

TEST_P(checksum_queue_test, values_arrive_once_and_in_order) {
  const int max = GetParam().mode == far::job_mode::fibers ? 20 : 300;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 60, max);
    const std::uint64_t capacity = std::array{1u, 2u, 3u, 7u, 100u}[std::size_t(world.size()) % 5];
    checked_queue queue(world, world.size() / 2, capacity);
    std::vector<int> seen(static_cast<std::size_t>(checked_users(world) * rounds));
    std::vector<int> last(static_cast<std::size_t>(checked_users(world)), -1);
    int pushed = 0;
    int popped = 0;
    far::fabric::backoff patience;
    while (world.rank() < checked_users(world) && (pushed < rounds || popped < rounds)) {
      const int before = pushed + popped;
      const int mine = world.rank() * rounds + pushed;
      if (pushed < rounds && queue.try_push(static_cast<std::uint64_t>(mine))) ++pushed;
      if (popped < rounds) {
        if (const auto value = queue.try_pop()) {
          ++popped;
          ++seen.at(*value);
          const int which = static_cast<int>(*value) % rounds;
          int& of_rank = last[*value / static_cast<unsigned>(rounds)];
          EXPECT_LT(of_rank, which);
          of_rank = which;
        }
      }
      if (pushed + popped == before) world.context().pause(patience);
    }
    far::allreduce(world, seen);
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
    EXPECT_FALSE(queue.try_pop());
  });
}

/// Spans of random lengths go from one rank to another, in order.
template <std::size_t Bytes>
void stream_checked(const far::world& world, std::uint64_t capacity, int count) {
  using value = checked_value_of<Bytes>;
  far::checksum_queue<value> queue(world, world.size() / 2, capacity);
  if (world.size() == 1) count = std::min(count, static_cast<int>(capacity));
  far::base::random random(capacity + static_cast<unsigned>(world.rank()));
  std::vector<value> some;
  if (world.rank() == 0) {
    for (int i = 0; i < count; i += static_cast<int>(some.size())) {
      some.resize(std::min(random.below(capacity + 1), static_cast<std::uint64_t>(count - i)));
      for (std::size_t j = 0; j < some.size(); ++j) some[j] = checked_value<Bytes>(i + int(j));
      queue.push(some);
    }
  }
  if (world.rank() == world.size() - 1) {
    for (int i = 0; i < count;) {
      some.resize(random.below(capacity + 2));
      const std::size_t n = queue.pop(some);
      for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(some[j], checked_value<Bytes>(i++));
    }
  }
}

TEST_P(checksum_queue_test, values_of_every_size_wrap_around) {
  const int max = GetParam().mode == far::job_mode::fibers ? 10 : 100;
  run([max](far::world& world) {
    const int count = far::test::rounds_in_sim(world, 10, max);
    if (tries_case(world, 0, 5)) stream_checked<1>(world, 1, count);
    if (tries_case(world, 1, 5)) stream_checked<8>(world, 2, count);
    if (tries_case(world, 2, 5)) stream_checked<12>(world, 3, count);
    if (tries_case(world, 3, 5)) stream_checked<64>(world, 7, count);
    if (tries_case(world, 4, 5)) stream_checked<4096>(world, 2, 3);
  });
}

TEST_P(checksum_queue_test, full_and_empty_are_answers) {
  run([](far::world& world) {
    far::checksum_queue<int> queue(world, 0, 3);
    if (world.rank() == world.size() - 1) {
      std::vector<int> got(5);
      for (int lap = 0; lap < 3; ++lap) {
        EXPECT_FALSE(queue.try_pop());
        EXPECT_TRUE(queue.try_push(1));
        EXPECT_FALSE(queue.try_push(std::vector<int>{2, 3, 4})) << "all or nothing";
        EXPECT_TRUE(queue.try_push(std::vector<int>{2, 3}));
        EXPECT_FALSE(queue.try_push(4));
        EXPECT_EQ(queue.try_pop(), 1);
        EXPECT_TRUE(queue.try_push(0));  // differs from an unused slot, which is zero
        EXPECT_EQ(queue.try_pop(got), 3u);
        EXPECT_EQ(got, (std::vector<int>{2, 3, 0, 0, 0}));
      }
      EXPECT_THROW((void)queue.try_push(std::vector<int>(4)), far::bad_argument);
    }
    EXPECT_THROW(far::checksum_queue<int>(world, world.size(), 3), far::bad_argument);
    EXPECT_THROW(far::checksum_queue<int>(world, 0, 0), far::bad_argument);
  });
}

TEST_P(checksum_queue_test, threads_share_a_rank) {
  run([](far::world& world) {
    const checked_queue queue(world, 0, 4);
    if (world.rank() == world.size() - 1) {
      world.threads(2, [&](far::world& own) {
        auto mine = queue.on(own);
        for (int i = 0; i < 3; ++i) {
          mine.push(1);
          EXPECT_EQ(mine.pop(), 1u);
        }
      });
    }
    far::barrier(world);
    EXPECT_FALSE(queue.on(world).try_pop());
  });
}

INSTANTIATE_FAR_MODES(checksum_queue_test);

}  // namespace
