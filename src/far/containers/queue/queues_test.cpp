// A queue at each rank.

#include "far/containers/queue/queues.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using queues_test = far::test::on_ranks;
using number_queues = far::queues<std::uint64_t>;

/// A value that says which rank has pushed it, and for which rank.
std::uint64_t value(int from, int to, int number) {
  return static_cast<std::uint64_t>(from) << 40 | static_cast<std::uint64_t>(to) << 20 |
         static_cast<std::uint64_t>(number);
}

/// Pops all values at this rank. Returns how many came from each rank; checks their order.
std::vector<int> taken(const far::world& world, const number_queues& all) {
  std::vector<int> result(static_cast<std::size_t>(world.size()));
  auto mine = all.local();
  while (const auto v = mine.try_pop()) {
    const auto from = static_cast<std::size_t>(*v >> 40);
    EXPECT_LT(from, result.size());
    if (from >= result.size()) break;
    EXPECT_EQ(*v, value(static_cast<int>(from), world.rank(), result[from]));
    ++result[from];
  }
  return result;
}

TEST_P(queues_test, each_value_comes_to_its_host) {
  run([](far::world& world) {
    const int hosts = far::test::rounds_in_sim(world, 400, world.size());  // each rank's targets
    const std::uint64_t room = 6 * static_cast<std::uint64_t>(world.size());
    const number_queues all(world, room);
    EXPECT_EQ(all.capacity(), room);
    const auto push_everywhere = [&](auto& views, int number) {
      for (int i = 0; i < hosts; ++i) {
        const int host = (world.rank() + i) % world.size();
        EXPECT_TRUE(views.at(host).try_push(value(world.rank(), host, number)));
      }
    };
    const int rounds = far::test::rounds_in_sim(world, 150, 2);
    for (int round = 0; round < rounds; ++round) {
      auto one_sided = all.with(far::policy::one_sided);
      auto by_calls = all.with(far::policy::rpc);
      push_everywhere(one_sided, 0);
      push_everywhere(by_calls, 1);
      far::barrier(world);
      {
        auto phase = all.writing();
        push_everywhere(phase, 2);
      }
      const std::vector<int> found = taken(world, all);
      for (int from = 0; from < world.size(); ++from) {
        const bool pushes = (world.rank() - from + world.size()) % world.size() < hosts;
        EXPECT_EQ(found[static_cast<std::size_t>(from)], pushes ? 3 : 0) << "rank " << from;
      }
      far::barrier(world);
    }
  });
}

// Another rank pops while this one pushes: each value arrives once.
TEST_P(queues_test, others_may_pop) {
  run([](far::world& world) {
    const int values = far::test::rounds_in_sim(world, 60, 20);
    number_queues all(world, 2);
    const int next = (world.rank() + 1) % world.size();
    std::uint64_t sum = 0;
    for (int i = 1; i <= values; ++i) {
      all.at(world.rank()).push(static_cast<std::uint64_t>(i));
      sum += all.at(next).pop();
    }
    far::barrier(world);
    EXPECT_EQ(sum,
              static_cast<std::uint64_t>(values) * (static_cast<std::uint64_t>(values) + 1) / 2);
  });
}

TEST_P(queues_test, threads_share_a_rank) {
  run([](far::world& world) {
    const number_queues all(world, 4);
    if (world.rank() == 0) {
      world.threads(2, [&](far::world& own) {
        auto mine = all.on(own);
        mine.at(world.size() - 1).push(1);
        auto calling = mine.with(far::policy::rpc);
        EXPECT_EQ(calling.at(world.size() - 1).pop(), 1u);
      });
    }
    far::barrier(world);
    EXPECT_FALSE(all.local().try_pop());
  });
}

TEST_P(queues_test, phases_end_where_they_were_full) {
  run([](far::world& world) {
    const std::uint64_t room = 3;
    const number_queues all(world, room);
    const int phases = far::test::rounds_in_sim(world, 90, 3);
    const int host = world.size() / 2;
    for (int phase = 0; phase < phases; ++phase) {
      std::uint64_t pushed = 0;
      {
        auto out = all.writing();
        const std::vector<std::uint64_t> two{7, 7};
        for (int i = 0; i < 3; ++i) {
          const bool both = (i + world.rank()) % 2 == 0;
          const bool fits = both ? out.at(host).try_push(two) : out.at(host).try_push(7);
          pushed += fits ? (both ? 2u : 1u) : 0u;
        }
      }
      const std::uint64_t sum = far::allreduce(world, pushed);
      EXPECT_GE(sum, 2u) << "one slot may stay free, because a push of two was refused";
      EXPECT_LE(sum, room);
      std::uint64_t found = 0;
      auto mine = all.local();
      while (const auto v = mine.try_pop()) {
        EXPECT_EQ(*v, 7u);
        ++found;
      }
      EXPECT_EQ(found, world.rank() == host ? sum : 0u);
      far::barrier(world);
    }
  });
}

TEST_P(queues_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    EXPECT_THROW(number_queues(world, 0), far::bad_argument);
    EXPECT_THROW(number_queues(world, std::uint64_t{1} << 40), far::out_of_memory);
    number_queues all(world, 1);
    EXPECT_THROW((void)all.at(world.size()), far::bad_argument);
    EXPECT_THROW((void)all.at(-1), far::bad_argument);
    EXPECT_TRUE(all.at(0).try_push(std::vector<std::uint64_t>{}));
    EXPECT_THROW((void)all.at(0).try_push(std::vector<std::uint64_t>{1, 2}), far::bad_argument);
  });
}

TEST(queues_phase_death_test, use_otherwise_in_a_phase_ends_the_program) {
  if constexpr (!far::base::debug_checks) GTEST_SKIP() << "release builds do not check";
  const auto breaks = [] {
    far::run({.ranks = 1, .mode = far::job_mode::threads}, [](far::world& world) {
      number_queues all(world, 4);
      const auto phase = all.writing();
      (void)all.at(0).try_push(1);
    });
  };
  EXPECT_DEATH(breaks(), "rank 0 uses a queue by a view for any time.*writing\\(\\)");
}

INSTANTIATE_FAR_MODES(queues_test);

}  // namespace
