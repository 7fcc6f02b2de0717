// The hosted queue on every fabric, with every kind of view.

#include "far/containers/queue/queue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using queue_test = far::test::on_ranks;
using number_queue = far::queue<std::uint64_t>;

/// A value of `Bytes` bytes, each of which depends on its number, so that torn values show.
template <std::size_t Bytes>
struct value_of {
  std::array<std::uint8_t, Bytes> bytes;

  explicit value_of(std::uint64_t number = 0) {
    for (std::size_t i = 0; i < Bytes; ++i) {
      bytes[i] = static_cast<std::uint8_t>((number >> 8 * (i % 2)) + i / 2);
    }
  }
  bool operator==(const value_of&) const = default;
};
static_assert(sizeof(value_of<12>) == 12 && std::is_trivially_copyable_v<value_of<12>>);

constexpr std::uint64_t small_capacities[] = {1, 2, 3, 7};

/// Values that identify their rank.
std::uint64_t numbered(int rank, int i) {
  return static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint64_t>(i);
}

/// How many ranks use a queue at a time. Fewer in a large simulation, where many ranks that retry
/// at the same time take long.
int users(const far::world& world) { return far::test::rounds_in_sim(world, 30, world.size()); }

/// Whether a job of this size runs case `number` of `of`. Each case makes a queue, so a job with
/// many simulated ranks runs only one of the cases.
bool tries(const far::world& world, int number, int of) {
  return world.size() <= 20 || world.size() % of == number;
}

/// Checks what all ranks together have popped: each user's values once, and in each rank's pops the
/// values of one user in the order of its pushes.
void expect_all_once(const far::world& world, const std::vector<std::uint64_t>& popped,
                     int of_each) {
  std::vector<std::int64_t> last(static_cast<std::size_t>(users(world)), -1);
  std::vector<int> seen(last.size() * static_cast<std::size_t>(of_each), 0);
  for (const std::uint64_t value : popped) {
    const auto rank = static_cast<std::size_t>(value >> 32);
    const auto i = static_cast<std::int64_t>(value & 0xffffffff);
    ASSERT_LT(rank, last.size());
    ASSERT_LT(i, of_each);
    EXPECT_LT(last[rank], i) << "from rank " << rank;
    last[rank] = i;
    ++seen[rank * static_cast<std::size_t>(of_each) + static_cast<std::size_t>(i)];
  }
  far::allreduce(world, seen);
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

/// All ranks push and pop at the same time, by `view`; each pops as many values as it pushes.
template <class View>
void exchange_all(const far::world& world, View view, int of_each) {
  std::vector<std::uint64_t> popped;
  int pushed = 0;
  far::fabric::backoff patience;
  while (world.rank() < users(world) && (pushed < of_each || std::ssize(popped) < of_each)) {
    const auto done = pushed + std::ssize(popped);
    if (pushed < of_each && view.try_push(numbered(world.rank(), pushed))) ++pushed;
    if (std::ssize(popped) < of_each) {
      if (const auto value = view.try_pop()) popped.push_back(*value);
    }
    if (pushed + std::ssize(popped) == done) world.context().pause(patience);
  }
  expect_all_once(world, popped, of_each);
}

TEST_P(queue_test, values_arrive_once_and_in_order) {
  const int max = GetParam().mode == far::job_mode::fibers ? 20 : 500;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 60, max);
    const std::uint64_t capacity = std::array{1u, 2u, 3u, 7u, 100u}[std::size_t(world.size()) % 5];
    const number_queue queue(world, world.size() / 2, capacity);
    const far::policy how = world.size() % 2 == 0 ? far::policy::automatic : far::policy::one_sided;
    exchange_all(world, queue.with(how), rounds);
    EXPECT_FALSE(queue.with(how).try_pop());
  });
}

TEST_P(queue_test, calls_do_the_same) {
  const int max = GetParam().mode == far::job_mode::fibers ? 20 : 300;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 90, max);
    const number_queue queue(world, world.size() - 1, 3);
    exchange_all(world, queue.with(far::policy::rpc), rounds);
    EXPECT_FALSE(queue.with(far::policy::rpc).try_pop());
  });
}

TEST_P(queue_test, one_sided_and_calls_mix) {
  const int max = GetParam().mode == far::job_mode::fibers ? 10 : 300;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 100, max);
    const number_queue queue(world, 0, 2);
    auto one_sided = queue.with(far::policy::one_sided);
    auto calling = queue.with(far::policy::rpc);
    std::vector<std::uint64_t> popped;
    int pushed = 0;
    far::fabric::backoff patience;
    const auto done = [&] { return pushed == rounds && std::ssize(popped) == rounds; };
    for (int turn = 0; world.rank() < users(world) && !done(); ++turn) {
      if (turn > 4 * rounds) world.context().pause(patience);
      const bool calls = (world.rank() + turn) % 3 == 0;
      const std::uint64_t value = numbered(world.rank(), pushed);
      if (pushed < rounds && (calls ? calling.try_push(value) : one_sided.try_push(value))) {
        ++pushed;
      }
      if (std::ssize(popped) == rounds) continue;
      const auto got = turn % 2 == 0 ? calling.try_pop() : one_sided.try_pop();
      if (got) popped.push_back(*got);
    }
    expect_all_once(world, popped, rounds);
  });
}

/// One rank pushes and another pops. The queue is small, so there are many laps.
template <class T>
void stream(const far::world& world, std::uint64_t capacity, int count, bool by_call) {
  const auto domain = world.size() % 2 == 0 ? far::amo_domain::nic : far::amo_domain::cpu;
  const far::queue<T> queue(world, world.size() / 2, capacity, domain);
  const auto with = [&](auto view) {
    if (world.rank() == 0) {
      for (int i = 0; i < count; ++i) view.push(T(static_cast<std::uint64_t>(i)));
    }
    if (world.rank() == world.size() - 1) {
      for (int i = 0; i < count; ++i) {
        ASSERT_EQ(view.pop(), T(static_cast<std::uint64_t>(i))) << sizeof(T);
      }
    }
  };
  if (world.size() == 1) count = std::min(count, static_cast<int>(capacity));
  if (by_call) {
    with(queue.with(far::policy::rpc));
  } else {
    with(queue.on(world));
  }
}

TEST_P(queue_test, blocking_forms_wait) {
  const int max = GetParam().mode == far::job_mode::fibers ? 25 : 500;
  run([max](far::world& world) {
    // Two ranks do most of the work.
    const int count = std::min(max, far::test::rounds_in_sim(world, 2, max));
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t capacity = small_capacities[std::size_t(i)];
      if (tries(world, i, 4)) stream<std::uint64_t>(world, capacity, count, capacity == 2);
    }
  });
}

TEST_P(queue_test, values_of_every_size) {
  const int max = GetParam().mode == far::job_mode::fibers ? 15 : 100;
  run([max](far::world& world) {
    const int count = far::test::rounds_in_sim(world, 2, max);
    const bool by_call = world.size() % 2 == 1;
    if (tries(world, 0, 5)) stream<value_of<1>>(world, 3, count, by_call);
    if (tries(world, 1, 5)) stream<value_of<8>>(world, 3, count, by_call);
    if (tries(world, 2, 5)) stream<value_of<12>>(world, 3, count, by_call);
    if (tries(world, 3, 5)) stream<value_of<64>>(world, 3, count, by_call);
    if (tries(world, 4, 5)) stream<value_of<4096>>(world, 3, count, by_call);
  });
}

/// Spans of random lengths go from one rank to another, in order.
template <class View>
void stream_spans(const far::world& world, View view, std::uint64_t capacity, int count) {
  far::base::random random(capacity + static_cast<unsigned>(world.rank()));
  if (world.rank() == 0) {
    std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 1000);
    for (std::size_t at = 0; at < values.size();) {
      const std::size_t n = std::min<std::size_t>(random.below(capacity + 1), values.size() - at);
      view.push(std::span<const std::uint64_t>(values).subspan(at, n));
      at += n;
    }
  }
  if (world.rank() == world.size() - 1) {
    std::vector<std::uint64_t> room(capacity + 2);
    for (std::uint64_t next = 1000; next < 1000 + static_cast<std::uint64_t>(count);) {
      const auto into = std::span(room).first(random.below(room.size() + 1));
      const std::size_t n = view.pop(into);
      ASSERT_LE(n, into.size());
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(into[i], next++);
    }
  }
}

TEST_P(queue_test, spans_wrap_around) {
  const int max = GetParam().mode == far::job_mode::fibers ? 30 : 1000;
  run([max](far::world& world) {
    const int count = world.size() == 1 ? 1 : far::test::rounds_in_sim(world, 2, max);
    for (int i = 0; i < 4; ++i) {
      if (!tries(world, i, 4)) continue;
      const std::uint64_t capacity = small_capacities[std::size_t(i)];
      const number_queue queue(world, 0, capacity);
      if (capacity == 3) {
        stream_spans(world, queue.with(far::policy::rpc), capacity, count);
      } else {
        stream_spans(world, queue.on(world), capacity, count);
      }
    }
  });
}

/// The results of operations of one rank alone, by a view that may push and pop.
template <class View>
void expect_exact_answers(View view) {
  std::vector<int> got(5);
  EXPECT_FALSE(view.try_pop());
  EXPECT_EQ(view.try_pop(got), 0u);
  EXPECT_TRUE(view.try_push(std::vector<int>{}));
  EXPECT_TRUE(view.try_push(1));
  EXPECT_FALSE(view.try_push(std::vector<int>{2, 3, 4})) << "all or nothing";
  EXPECT_TRUE(view.try_push(std::vector<int>{2, 3}));
  EXPECT_FALSE(view.try_push(4));
  EXPECT_FALSE(view.try_push(4));
  EXPECT_TRUE(view.try_push(std::vector<int>{}));
  EXPECT_EQ(view.try_pop(), 1);
  EXPECT_TRUE(view.try_push(4));
  EXPECT_EQ(view.try_pop(std::span(got).first(2)), 2u);
  EXPECT_EQ(view.try_pop(std::span(got).subspan(2)), 1u) << "as many as there are";
  EXPECT_EQ(got, (std::vector<int>{2, 3, 4, 0, 0}));
  EXPECT_EQ(view.try_pop(got), 0u);
  EXPECT_FALSE(view.try_pop());
  EXPECT_EQ(view.try_pop(std::span<int>{}), 0u);
  EXPECT_THROW((void)view.try_push(std::vector<int>{1, 2, 3, 4}), far::bad_argument);
}

TEST_P(queue_test, full_and_empty_are_answers) {
  run([](far::world& world) {
    const far::queue<int> queue(world, 0, 3);
    for (int turn = 0; turn < 3; ++turn) {
      // In each turn one rank tries each policy: the host or another rank.
      if (world.rank() == turn % world.size()) {
        expect_exact_answers(queue.on(world));
        expect_exact_answers(queue.with(far::policy::rpc));
      }
      far::barrier(world);
      if (world.rank() == queue.host()) expect_exact_answers(queue.local());
      far::barrier(world);
    }
  });
}

TEST_P(queue_test, phases_follow_each_other) {
  const int max = GetParam().mode == far::job_mode::fibers ? 2 : 20;
  run([max](far::world& world) {
    const int phases = far::test::rounds_in_sim(world, 90, max);
    const int each = 3;
    const bool is_user = world.rank() < users(world);
    const bool two_kinds = far::test::rounds_in_sim(world, 45, 2) > 1;  // kinds of phases
    const auto all = static_cast<std::uint64_t>(each * users(world));
    number_queue queue(world, world.size() - 1, all + 1);
    for (int phase = 0; phase < phases; ++phase) {
      {
        auto writing = queue.writing();
        if (is_user) {
          EXPECT_TRUE(writing.try_push(numbered(world.rank(), 0)));
          EXPECT_TRUE(
              writing.try_push(std::vector{numbered(world.rank(), 1), numbered(world.rank(), 2)}));
        }
      }
      if (phase % 2 == 0) {
        // Leave some values for the queue's own view, which pops the rest.
        std::vector<std::uint64_t> popped(phase % 4 == 0 ? 3 : 1);
        if (world.rank() % 2 != 0 || !two_kinds) popped.clear();
        if (two_kinds) {
          auto reading = queue.reading();
          popped.resize(reading.try_pop(popped));
        }
        const auto take_rest = [&] {
          while (const auto value = queue.try_pop()) popped.push_back(*value);
        };
        if (is_user) take_rest();
        far::barrier(world);  // a pop may return "empty" while others are in flight
        if (world.rank() == 0) take_rest();
        std::sort(popped.begin(), popped.end());
        expect_all_once(world, popped, each);
      } else {
        std::vector<std::uint64_t> popped(all + 5);
        const bool mine = world.rank() == queue.host();
        popped.resize(mine ? queue.local().try_pop(popped) : 0);
        EXPECT_EQ(popped.size(), mine ? all : 0);
        if (mine) {
          EXPECT_TRUE(queue.local().try_push(17));
        }
        expect_all_once(world, popped, each);
        far::barrier(world);
        {
          auto reading = queue.reading();
          const auto got = reading.try_pop();
          EXPECT_EQ(far::allreduce(world, got.has_value() ? *got : 0), 17u);
          EXPECT_FALSE(reading.try_pop());
        }
      }
    }
  });
}

INSTANTIATE_FAR_MODES(queue_test);

}  // namespace
