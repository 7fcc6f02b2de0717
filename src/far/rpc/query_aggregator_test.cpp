#include "far/rpc/query_aggregator.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/aggregator_test.hpp"
#include "far/rpc/call.hpp"
#include "far/rpc/progress.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace {

using query_aggregator_test = far::test::on_ranks;

/// A rank's answer: a number that depends on the rank and the question.
struct answer_of {
  std::uint64_t operator()(far::rank_state& state, std::uint64_t question) const {
    return question * 1000 + static_cast<unsigned>(state.fabric().rank());
  }
};

TEST_P(query_aggregator_test, answers_each_question_once) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int calls = far::test::rounds_in_sim(world, 4, fibers ? 300 : 5000);
    for (const bool small : {true, false}) {
      const auto limits =
          small ? far::test::small_limits() : far::aggregator_options{.patience_ns = 1000};
      std::vector<std::uint64_t> answers(static_cast<std::size_t>(calls));
      auto ask = far::make_query_aggregator<std::uint32_t, std::uint64_t>(
          world, answer_of{},
          [&](std::uint32_t at, std::uint64_t answer) { answers[at] += answer; }, limits);
      std::vector<std::uint64_t> expected;
      for (int i = 0; i < calls; ++i) {
        const int target = (world.rank() + i % 5) % world.size();
        const auto question = static_cast<std::uint64_t>(i) + 1;
        ask(target, static_cast<std::uint32_t>(i), question);
        expected.push_back(question * 1000 + static_cast<unsigned>(target));
      }
      ask.flush();
      EXPECT_EQ(answers, expected);
      EXPECT_LE(ask.counts().max_buffer_bytes, limits.buffer_bytes);
      EXPECT_LE(ask.counts().max_in_flight, limits.max_in_flight_bytes);
    }
    far::quiesce(world);
  });
}

TEST_P(query_aggregator_test, answers_larger_than_questions_fit) {
  run([](far::world& world) {
    using block = std::array<std::uint64_t, 16>;
    int answered = 0;
    auto ask = far::make_query_aggregator<char, char>(
        world,
        [](char c) {
          block b;
          b.fill(static_cast<std::uint64_t>(c));
          return b;
        },
        [&](char tag, const block& b) {
          EXPECT_EQ(b.back(), static_cast<std::uint64_t>(tag));
          ++answered;
        });
    const int calls = far::test::rounds_in_sim(world, 4, 300);
    for (int i = 0; i < calls; ++i) {
      const char c = static_cast<char>(i % 100);
      ask((world.rank() + 1) % world.size(), c, c);
    }
    ask.flush();
    EXPECT_EQ(answered, calls);
    far::quiesce(world);
  });
}

TEST_P(query_aggregator_test, answers_lead_to_questions) {
  run([](far::world& world) {
    // Each answer says which rank to query next; the tag counts the queries left.
    std::uint64_t sum = 0;
    const int size = world.size();
    const auto next = [size](std::int32_t at) { return (at * 5 + 3) % size; };
    far::query_aggregator<decltype(next), std::function<void(std::int32_t, std::int32_t)>,
                          std::int32_t, std::int32_t>* again = nullptr;
    far::query_aggregator<decltype(next), std::function<void(std::int32_t, std::int32_t)>,
                          std::int32_t, std::int32_t>
        ask(
            world, next,
            [&](std::int32_t left, std::int32_t at) {
              sum += static_cast<std::uint64_t>(at);
              if (left > 0) again->pass_on(at, left - 1, at);
            },
            far::test::small_limits());
    again = &ask;
    const int length = far::test::rounds_in_sim(world, 30, 6);
    ask(world.rank(), length, world.rank());
    far::settle(world, ask);
    std::uint64_t expected = 0;
    int at = world.rank();
    for (int i = 0; i <= length; ++i) {
      at = next(at);
      expected += static_cast<std::uint64_t>(at);
    }
    EXPECT_EQ(sum, expected);
  });
}

TEST_P(query_aggregator_test, failures_reach_flush) {
  run([](far::world& world) {
    int answered = 0;
    auto ask = far::make_query_aggregator<int, int>(
        world,
        [](int x) {
          if (x == 3) throw far::out_of_bounds("three");
          return x;
        },
        [&](int, int x) {
          if (x == 5) throw far::bad_argument("five");
          ++answered;
        });
    ask(0, 1, 3);
    EXPECT_THROW(ask.flush(), far::out_of_bounds);
    ask(0, 2, 5);
    EXPECT_THROW(ask.flush(), far::bad_argument);
    ask(0, 3, 7);
    ask.flush();
    EXPECT_EQ(answered, 1);
    far::quiesce(world);
  });
}

INSTANTIATE_FAR_MODES(query_aggregator_test);

}  // namespace
