// Concurrent atomics on one word: by its owner and the ranks of its node with processor
// instructions, and by ranks of other nodes over UCX. They must be atomic with each other.

#include <vector>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

run_options two_nodes() {
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 4;
  options.ranks_per_node = 2;
  return options;
}

constexpr std::uint64_t rounds = 20000;

TEST(MixedPaths, AddsOfBothAddUp) {
  test::run(two_nodes(), [](world& world) {
    const auto word = allocate<std::uint64_t>(world);
    barrier(world);
    const bool is_near = world.fabric().direct(0) != nullptr;
    EXPECT_EQ(is_near, world.rank() < 2);
    const atomic_ref count(world, word.on(0));
    // Near ranks are a hundred times as fast, so they continue until the others have finished.
    const auto far_done = allocate<std::uint64_t>(world);
    barrier(world);
    std::uint64_t own = 0;
    if (is_near) {
      const atomic_ref done(world, far_done.on(0));
      while (done.load() < 2 * rounds) {
        for (int i = 0; i < 64; ++i, ++own) count.fetch_add(1);
      }
    } else {
      const atomic_ref done(world, far_done.on(0));
      constexpr int at_once = 100;
      for (; own < rounds; own += at_once) {
        std::vector<future<std::uint64_t>> adds;
        for (int i = 0; i < at_once; ++i) adds.push_back(count.fetch_add_async(1));
        for (auto& add : adds) add.get();
        done.fetch_add(at_once);
      }
    }
    const std::uint64_t all = allreduce(world, own);
    EXPECT_EQ(count.load(), all);
    EXPECT_GT(all, 2 * rounds);
  });
}

TEST(MixedPaths, OneWinnerOfEachExchange) {
  test::run(two_nodes(), [](world& world) {
    const auto word = allocate<std::uint64_t>(world);
    barrier(world);
    const atomic_ref turn(world, word.on(0));
    constexpr std::uint64_t turns = 4000;
    std::uint64_t won = 0;
    for (std::uint64_t seen = turn.load(); seen < turns;) {
      if (turn.compare_exchange(seen, seen + 1)) {
        ++won;
        ++seen;
      }
    }
    const std::uint64_t all = allreduce(world, won);
    EXPECT_EQ(all, turns);
  });
}

}  // namespace
}  // namespace far::fabric
