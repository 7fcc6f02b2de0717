// Aggregators in patterns that would deadlock if any rank waited for a rank that waits for it, and
// aggregators when ranks fail.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/rpc/aggregator_test.hpp"
#include "far/rpc/progress.hpp"
#include "far/team/team.hpp"
#include "test/support/deaths.hpp"
#include "test/support/jobs.hpp"

namespace {

using aggregator_storm_test = far::test::on_ranks;
using far::test::note_arrival;
using note_aggregator = far::aggregator<note_arrival, std::uint64_t>;

TEST_P(aggregator_storm_test, floods_of_all_to_all_end) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int targets = far::test::rounds_in_sim(world, 30, world.size());
    const int calls = far::test::rounds_in_sim(world, 2, fibers ? 300 : 10000);
    // More messages than the rings of any fabric hold: one call each, served by the pushes only.
    far::aggregator_options limits = far::test::small_limits();
    limits.message_bytes = 20;
    limits.max_in_flight_bytes = std::size_t{1} << 20;
    note_aggregator note(world, {}, limits);
    far::test::random_calls mine(world.rank(), world.size(), targets);
    for (int i = 0; i < calls; ++i) {
      const auto call = mine.next();
      note(call.target, call.number);
    }
    note.flush();
    far::quiesce(world);
    far::test::expect_each_once(world, calls, targets);
  });
}

TEST_P(aggregator_storm_test, a_rank_calls_itself) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int calls = far::test::rounds_in_sim(world, 2, fibers ? 500 : 30000);
    note_aggregator note(world, {}, far::test::small_limits());
    far::test::random_calls mine(world.rank(), world.size(), 1);
    for (int i = 0; i < calls; ++i) note(world.rank(), mine.next().number);
    note.flush();
    far::test::expect_each_once(world, calls, 1);
    far::quiesce(world);
  });
}

// Calls that are passed on from rank to rank, by one aggregator and back by another.

struct hop {
  void operator()(far::rank_state& state, int left, std::uint64_t random) const;
};
struct hop_back {
  void operator()(far::rank_state& state, int left, std::uint64_t random) const;
};
struct hops {
  explicit hops(far::rank_state&) {}
  far::aggregator<hop, int, std::uint64_t>* there = nullptr;
  far::aggregator<hop_back, int, std::uint64_t>* back = nullptr;
  // A service thread counts too, and settle orders its counts through other processes, which
  // ThreadSanitizer does not see.
  std::atomic<std::uint64_t> run{0};
};

int random_rank(const far::rank_state& state, std::uint64_t random) {
  return static_cast<int>(random % static_cast<std::uint64_t>(state.fabric().size()));
}
void hop::operator()(far::rank_state& state, int left, std::uint64_t random) const {
  auto& mine = state.get<hops>();
  mine.run.fetch_add(1, std::memory_order_relaxed);
  random = random * 6364136223846793005u + 1442695040888963407u;
  if (left == 0) return;
  if (random >> 63 != 0) {
    mine.there->pass_on(random_rank(state, random >> 16), left - 1, random);
  } else {
    mine.back->pass_on(random_rank(state, random >> 16), left - 1, random);
  }
}
void hop_back::operator()(far::rank_state& state, int left, std::uint64_t random) const {
  hop()(state, left, random + 1);
}

void pass_calls_on(far::world& world, int calls, int length) {
  far::aggregator<hop, int, std::uint64_t> there(world, {}, far::test::small_limits());
  far::aggregator<hop_back, int, std::uint64_t> back(world, {}, far::test::small_limits());
  auto& mine = world.state().get<hops>();
  mine.there = &there;
  mine.back = &back;
  far::barrier(world);  // from here on calls may arrive anywhere
  far::base::random random(static_cast<std::uint64_t>(world.rank()));
  for (int i = 0; i < calls; ++i) {
    there(random_rank(world.state(), random()), length, random());
  }
  far::settle(world, there, back);
  const auto all = static_cast<std::uint64_t>(calls) * static_cast<unsigned>(world.size());
  EXPECT_EQ(far::allreduce(world, mine.run.load()), all * static_cast<unsigned>(length + 1));
  EXPECT_LE(there.counts().max_buffer_bytes, far::test::small_limits().buffer_bytes);
  EXPECT_LE(there.counts().max_in_flight, far::test::small_limits().max_in_flight_bytes);
}

TEST_P(aggregator_storm_test, functions_pass_on) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int length = far::test::rounds_in_sim(world, 25, 5);
    const int calls = far::test::rounds_in_sim(world, 5 * (length + 1) + 25, fibers ? 40 : 400);
    pass_calls_on(world, calls, length);
  });
}

TEST_P(aggregator_storm_test, functions_of_a_service_pass_on) {
  options.service = true;
  seeds = 50;
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int length = far::test::rounds_in_sim(world, 25, 3);
    const int calls = far::test::rounds_in_sim(world, 5 * (length + 1) + 25, fibers ? 20 : 400);
    pass_calls_on(world, calls, length);
  });
}

// Rank 1 serves no calls, and then fails.
TEST_P(aggregator_storm_test, failed_ranks_end_the_waiting) {
  options.ranks = std::max(options.ranks, 2);
  const auto body = [](far::world& world) {
    if (world.rank() == 1) throw far::out_of_bounds("on purpose");
    note_aggregator note(world, {}, far::test::small_limits());
    EXPECT_THROW(
        {
          for (std::uint64_t i = 0;; ++i) {
            note(1, i);
            if (i % 1000 == 0) note.flush();
          }
        },
        far::rank_failed);
  };
  EXPECT_THROW(far::run(options, body), far::out_of_bounds);
}

INSTANTIATE_FAR_MODES(aggregator_storm_test);

TEST(AggregatorStorm, DeadProcessesEndTheWaiting) {
  far::run_options options;
  options.ranks = 3;
  options.mode = far::job_mode::processes;
  EXPECT_THROW(far::run(options,
                        [](far::world& world) {
                          if (world.rank() == 2) raise(SIGKILL);
                          note_aggregator note(world);
                          note(2, 1);
                          note.flush();
                        }),
               far::rank_failed);
}

#ifndef FAR_THREAD_SANITIZER

TEST(AggregatorStorm, DeathsAreReported) {
  far::test::expect_death_is_told([](const far::world& world) {
    note_aggregator note(world, {}, far::test::small_limits());
    for (std::uint64_t i = 0;; ++i) {
      note(static_cast<int>(i % 3), i);
      if (i % 50 == 0) note.flush();
    }
  });
}

#endif

}  // namespace
