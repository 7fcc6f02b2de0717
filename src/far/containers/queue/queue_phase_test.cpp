// The promises of queue views, and the phases in which all ranks keep to one promise.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/containers/queue/queue.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using queue_phase_test = far::test::on_ranks;
using number_queue = far::queue<std::uint64_t>;

// Only the phases' own barriers separate their operations from those of concurrent views.
TEST_P(queue_phase_test, phases_begin_when_other_calls_have_ended) {
  const int max = GetParam().mode == far::job_mode::fibers ? 3 : 50;
  run([max](far::world& world) {
    const int rounds = far::test::rounds_in_sim(world, 110, max);
    const int some = far::test::rounds_in_sim(world, 140, world.size());  // ranks
    number_queue queue(world, 0, 2 * static_cast<std::uint64_t>(world.size()) + 3);
    const bool both = far::test::rounds_in_sim(world, 45, 2) > 1;  // else one kind of phase
    std::uint64_t pushed = 0;
    std::uint64_t popped = 0;
    const auto count = [](const std::optional<std::uint64_t>& value) { return value.value_or(0); };
    for (int round = 0; round < rounds; ++round) {
      if (world.rank() < some) pushed += queue.try_push(1) ? 1u : 0u;
      if (both || world.size() % 2 == 0) {
        auto writing = queue.writing();
        pushed += writing.try_push(1) ? 1u : 0u;
      }
      if (world.rank() < some) popped += count(queue.try_pop());
      if (both || world.size() % 2 != 0) {
        auto reading = queue.reading();
        popped += count(reading.try_pop());
      }
    }
    far::barrier(world);
    if (world.rank() == 0) {
      while (queue.local().try_pop()) ++popped;
    }
    EXPECT_EQ(far::allreduce(world, pushed - popped), 0u);
  });
}

TEST_P(queue_phase_test, a_phase_ends_where_it_was_full) {
  run([](far::world& world) {
    const std::uint64_t capacity = 3;
    const number_queue queue(world, 0, capacity);
    const int phases = far::test::rounds_in_sim(world, 90, 2);
    const bool is_user = world.rank() < far::test::rounds_in_sim(world, 140, world.size());
    for (int phase = 0; phase < phases; ++phase) {
      std::uint64_t pushed = 0;
      {
        auto writing = queue.writing();
        for (int i = 0; is_user && i < 3; ++i) {
          if (i == world.rank() % 2) {
            pushed += writing.try_push(std::vector<std::uint64_t>{7, 7}) ? 2u : 0u;
          } else {
            pushed += writing.try_push(7) ? 1u : 0u;
          }
        }
      }
      const std::uint64_t all = far::allreduce(world, pushed);
      EXPECT_GE(all, 2u) << "one slot may stay free, because a push of two was refused";
      EXPECT_LE(all, capacity);
      if (far::test::rounds_in_sim(world, 45, 2) == 1) continue;
      std::uint64_t popped = 0;
      {
        auto reading = queue.reading();
        std::vector<std::uint64_t> some(2);
        while (const std::size_t n = reading.try_pop(some)) {
          EXPECT_EQ(some[n - 1], 7u);
          popped += n;
        }
      }
      EXPECT_EQ(far::allreduce(world, popped), all);
    }
  });
}

// A view has the operations that its promise allows, and no others.
TEST(queue_phase_death_test, decides_the_operations) {
  using pushes = std::array<bool, 4>;
  const auto can = []<class... View>(auto test) {
    return pushes{test.template operator()<View>()...};
  };
  const auto each = [&](auto test) {
    return can.operator()<number_queue, number_queue::writing_view, number_queue::reading_view,
                          number_queue::local_view>(test);
  };
  const auto try_push = []<class V> { return requires(V& v) { v.try_push(1); }; };
  const auto try_pop = []<class V> { return requires(V& v) { v.try_pop(); }; };
  const auto push = []<class V> { return requires(V& v) { v.push(1); }; };
  const auto pop = []<class V> { return requires(V& v) { v.pop(); }; };
  EXPECT_EQ(each(try_push), (pushes{true, true, false, true}));
  EXPECT_EQ(each(try_pop), (pushes{true, false, true, true}));
  EXPECT_EQ(each(push), (pushes{true, false, false, false}));
  EXPECT_EQ(each(pop), (pushes{true, false, false, false}));
}

TEST_P(queue_phase_test, all_begin_the_same_phase) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not check";
  run([](far::world& world) {
    number_queue queue(world, 0, 4);
    if (world.size() == 1) return;
    const bool writes = world.rank() == 0;
    try {
      if (writes) {
        (void)queue.writing();
      } else {
        (void)queue.reading();
      }
      ADD_FAILURE() << "different phases were accepted";
    } catch (const far::bad_argument& e) {
      EXPECT_STREQ(e.what(),
                   "queue: rank 0 begins a phase by writing(), rank 1 one by reading(): all ranks "
                   "begin the same");
    }
    EXPECT_TRUE(queue.try_push(1) || world.size() > 4);
  });
}

TEST(queue_phase_death_test, use_otherwise_in_a_phase_ends_the_program) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not check";
  const auto breaks = [] {
    far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
      const number_queue queue(world, 0, 4);
      const auto phase = queue.reading();
      (void)queue.local().try_push(1);
    });
  };
  EXPECT_DEATH(breaks(), "rank 0 uses a queue by a view for any time.*reading\\(\\)");
}

INSTANTIATE_FAR_MODES(queue_phase_test);

}  // namespace
