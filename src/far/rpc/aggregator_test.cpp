#include "far/rpc/aggregator.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/aggregator_test.hpp"
#include "far/rpc/call.hpp"
#include "far/rpc/progress.hpp"
#include "test/support/jobs.hpp"

namespace {

using aggregator_test = far::test::on_ranks;
using far::test::arrivals;
using far::test::note_arrival;

struct bins {
  explicit bins(far::rank_state&) {}
  std::vector<int> counts = std::vector<int>(100);
  std::size_t characters = 0;
};

TEST_P(aggregator_test, runs_each_call_once) {
  const int calls = GetParam().mode == far::job_mode::fibers ? 2000 : 20000;
  run([calls](far::world& world) {
    auto add = far::make_aggregator<int>(world, [](far::rank_state& s, int bin) {
      ++s.get<bins>().counts[static_cast<std::size_t>(bin)];
    });
    auto say = far::make_aggregator<std::string, int>(
        world, [](far::world& w, const std::string& text, int times) {
          w.state().get<bins>().characters += text.size() * static_cast<std::size_t>(times);
        });
    // In a large simulated job each rank calls only some others, and is called by as many.
    const int targets = far::test::rounds_in_sim(world, 4, world.size());
    for (int i = 0; i < calls; ++i) {
      const int target = (world.rank() + i % targets) % world.size();
      add(target, i % 100);
      if (i % 10 == 0) say(target, "abc", 2);
    }
    say((world.rank() + 1) % world.size(), std::string(20000, 'x'), 1);
    add.flush();
    say.flush();
    far::quiesce(world);
    int all = 0;
    for (const int count : world.state().get<bins>().counts) all += count;
    EXPECT_EQ(all, calls);
    EXPECT_EQ(world.state().get<bins>().characters,
              20000 + 6 * static_cast<std::size_t>(calls / 10));
  });
}

TEST_P(aggregator_test, captures_and_calls_of_all_sizes_arrive) {
  run([](far::world& world) {
    const std::uint64_t first = 1000u * static_cast<unsigned>(world.rank());
    auto note = far::make_aggregator<std::string>(
        world,
        [first](far::rank_state& s, const std::string& text) {
          ++s.get<arrivals>().times[first + text.size()];
        },
        far::test::small_limits());
    const int target = (world.rank() + 1) % world.size();
    // Of no bytes; about as large as a buffer; as large as a message; as large as many messages.
    const std::vector<std::size_t> sizes = {0, 1, 45, 46, 47, 48, 63, 64, 900, 1100, 9000, 30000};
    for (const std::size_t size : sizes) note(target, std::string(size, 'x'));
    note.flush();
    far::quiesce(world);
    const int source = (world.rank() + world.size() - 1) % world.size();
    std::map<std::uint64_t, int> expected;
    for (const std::size_t size : sizes) ++expected[1000u * static_cast<unsigned>(source) + size];
    EXPECT_EQ(world.state().get<arrivals>().times, expected);
    EXPECT_GE(note.counts().large, 6u);
  });
}

TEST_P(aggregator_test, failures_reach_flush) {
  run([](far::world& world) {
    auto refuse = far::make_aggregator<int>(world, [](far::rank_state& s, int x) {
      if (x == 3) throw far::out_of_bounds("three");
      ++s.get<bins>().counts[0];
    });
    for (int i = 0; i < 5; ++i) refuse(world.rank(), i);
    EXPECT_THROW(refuse.flush(), far::out_of_bounds);
    EXPECT_EQ(world.state().get<bins>().counts[0], 4);  // the others have run
    refuse(world.rank(), 1);
    refuse.flush();
    EXPECT_EQ(world.state().get<bins>().counts[0], 5);
    far::quiesce(world);
  });
}

TEST_P(aggregator_test, refuses_what_cannot_be) {
  run([](far::world& world) {
    far::aggregator<note_arrival, std::uint64_t> note(world);
    EXPECT_THROW(note(world.size(), 1), far::bad_argument);
    EXPECT_THROW(note(-1, 1), far::bad_argument);
    EXPECT_THROW(note.pass_on(world.size(), 1), far::bad_argument);
    far::aggregator_options tiny;
    tiny.buffer_bytes = 10;
    EXPECT_THROW((far::aggregator<note_arrival, std::uint64_t>(world, {}, tiny)),
                 far::bad_argument);
    // Where waiting is not allowed, calls must be passed on.
    auto refused = far::rpc(world, world.rank(), [] {}).then([&] { note(world.rank(), 1); });
    EXPECT_THROW(refused.get(), far::error);
    far::rpc(world, world.rank(), [] {}).then([&] { note.pass_on(world.rank(), 2); }).get();
    auto made_there = far::rpc(world, world.rank(), [](far::world& there) {
      const far::aggregator<note_arrival, std::uint64_t> nested(there);
    });
    EXPECT_THROW(made_there.get(), far::bad_argument);
    note.flush();
    EXPECT_EQ(world.state().get<arrivals>().times, (std::map<std::uint64_t, int>{{2, 1}}));
    far::quiesce(world);
  });
}

struct calls_again {
  void operator()(far::rank_state& state, int) const;
};
struct caller_again {
  explicit caller_again(far::rank_state&) {}
  far::aggregator<calls_again, int>* calls = nullptr;
};
void calls_again::operator()(far::rank_state& state, int) const {
  (*state.get<caller_again>().calls)(state.fabric().rank(), 1);
}

// The owner waits and runs the function, which gets an error that names pass_on, not a deadlock.
TEST_P(aggregator_test, functions_are_told_to_pass_on) {
  run([](far::world& world) {
    far::aggregator<calls_again, int> calls(world);
    world.state().get<caller_again>().calls = &calls;
    calls(world.rank(), 1);
    try {
      calls.flush();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const far::error& told) {
      EXPECT_NE(std::string(told.what()).find("pass_on"), std::string::npos) << told.what();
    }
    EXPECT_FALSE(calls.sender().waiting());
    far::quiesce(world);
  });
}

TEST_P(aggregator_test, goes_with_what_it_holds) {
  run([](far::world& world) {
    const int target = (world.rank() + 1) % world.size();
    {
      far::aggregator<note_arrival, std::uint64_t> note(world);
      note(target, 1);
      note.pass_on(target, 2);
    }
    {
      auto refuse = far::make_aggregator<int>(world, [](int) { throw far::out_of_bounds("no"); });
      refuse(target, 1);
    }
    try {
      far::aggregator<note_arrival, std::uint64_t> note(world);
      note(target, 3);
      throw std::runtime_error("on its way");
    } catch (const std::runtime_error&) {
      // The unsent call, which was not flushed, was dropped with the aggregator.
    }
    EXPECT_THROW(far::quiesce(world), far::out_of_bounds);
    EXPECT_EQ(world.state().get<arrivals>().times, (std::map<std::uint64_t, int>{{1, 1}, {2, 1}}));
    far::quiesce(world);
  });
}

INSTANTIATE_FAR_MODES(aggregator_test);

}  // namespace
