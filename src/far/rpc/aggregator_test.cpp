#include "far/rpc/aggregator.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/progress.hpp"
#include "test/support/jobs.hpp"

namespace {

using aggregator_test = far::test::on_ranks;

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
    // In a large simulated job each rank calls some others only, and is called by as many.
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

TEST_P(aggregator_test, failures_reach_flush) {
  run([](far::world& world) {
    auto refuse = far::make_aggregator<int>(world, [](int x) {
      if (x == 3) throw far::out_of_bounds("three");
    });
    for (int i = 0; i < 5; ++i) refuse(0, i);
    EXPECT_THROW(refuse.flush(), far::out_of_bounds);
    refuse(0, 1);
    refuse.flush();
    far::quiesce(world);
  });
}

INSTANTIATE_FAR_MODES(aggregator_test);

}  // namespace
