// What many ranks of one machine do with one object takes no longer than what a few do. In virtual
// time, which is exact: the ranks of a simulated machine, whose threads synchronize by messages.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/team/barrier.hpp"
#include "far/world/run.hpp"

#ifndef FAR_THREAD_SANITIZER
namespace {

using far::object_space;

/// Times of all calls, in nanoseconds, and of all ranks together.
struct times {
  std::vector<std::uint64_t> calls;
  std::uint64_t all = 0;

  [[nodiscard]] double per_second() const {
    return 1e9 * static_cast<double>(calls.size()) / static_cast<double>(all);
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const std::uint64_t call : calls) sum += static_cast<double>(call);
    return sum / static_cast<double>(calls.size());
  }
  [[nodiscard]] double longest() const {
    return static_cast<double>(*std::ranges::max_element(calls));
  }
};

/// Each of so many ranks of one simulated machine makes the call `rounds` times. `call` is made for
/// each rank by make(space).
template <class Make>
times measure(int ranks, int rounds, Make make) {
  far::run_options options;
  options.mode = far::job_mode::fibers;
  options.profile = "cori-aries";
  options.ranks = ranks;
  options.ranks_per_node = ranks;
  times result;
  far::run(options, [&](far::world& world) {
    object_space space(world, {.heap_bytes = 1 << 16, .cache_bytes = 1 << 16});
    const auto call = make(space);
    space.barrier();
    const std::uint64_t begin = world.now();
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t before = world.now();
      call();
      result.calls.push_back(world.now() - before);
    }
    far::barrier(world);
    if (world.rank() == 0) result.all = world.now() - begin;
    space.barrier();
  });
  return result;
}

times monitor_of_all(int ranks) {
  return measure(ranks, 20, [](object_space& space) {
    if (space.world().rank() == 0) space.set_root("shared", space.make<std::uint64_t>());
    space.barrier();
    const auto shared = space.root<std::uint64_t>("shared");
    return [&space, shared] {
      const auto lock = space.lock(shared);
      ++space.write(shared);
    };
  });
}

TEST(object_scaling_test, a_monitor_that_all_want) {
  const double few = monitor_of_all(4).per_second();
  for (const int ranks : {16, 64}) {
    const times many = monitor_of_all(ranks);
    EXPECT_GT(many.per_second(), few / 2) << ranks << " ranks; 4 ranks: " << few;
    EXPECT_LT(many.longest(), 20 * many.mean()) << ranks << " ranks";
  }
}

TEST(object_scaling_test, a_barrier_of_the_space) {
  for (const int ranks : {4, 16, 64}) {
    const times plain = measure(
        ranks, 20, [](object_space& space) { return [&space] { far::barrier(space.world()); }; });
    const times whole =
        measure(ranks, 20, [](object_space& space) { return [&space] { space.barrier(); }; });
    EXPECT_LT(whole.mean(), 3 * plain.mean()) << ranks << " ranks";
    EXPECT_LT(whole.longest(), 20 * whole.mean()) << ranks << " ranks";
  }
}

}  // namespace
#endif
