// policy::automatic of queues on a simulated machine, whose time is exact: its choices are compared
// with what each way costs by itself.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/far.hpp"

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer cannot follow fibers

namespace {

using inboxes = far::queues<std::uint64_t>;

constexpr int ranks = 8;
constexpr int pushes = 4000;

void on_machine(const char* name, const far::program& program) {
  far::run({.ranks = ranks, .mode = far::job_mode::fibers, .ranks_per_node = 1, .profile = name},
           program);
}

/// Virtual ns that a rank's pushes to any rank take, on average, without computations.
std::uint64_t time_of(const char* machine, far::policy how, std::uint64_t compute_ns) {
  std::uint64_t mean = 0;
  on_machine(machine, [&](far::world& world) {
    const inboxes all(world, 2 * pushes);
    auto views = all.with(how);
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    std::uint64_t spent = 0;
    for (std::uint64_t i = 0; i < pushes; ++i) {
      if (compute_ns > 0) world.compute(compute_ns / 2 + random.below(compute_ns));
      const std::uint64_t begin = world.now();
      EXPECT_TRUE(views.at(static_cast<int>(random.below(ranks))).try_push(i));
      spent += world.now() - begin;
    }
    mean = far::allreduce(world, spent, std::plus<>()) / ranks;
  });
  return mean;
}

TEST(queue_automatic_test, loses_little_however_attentive_the_host_is) {
  for (const char* const machine : {"cori-aries", "cx4-100g"}) {
    for (const std::uint64_t compute_ns : {0u, 128'000u}) {
      const auto best = std::min(time_of(machine, far::policy::one_sided, compute_ns),
                                 time_of(machine, far::policy::rpc, compute_ns));
      const auto seen = time_of(machine, far::policy::automatic, compute_ns);
      EXPECT_LT(static_cast<double>(seen), 1.1 * static_cast<double>(best))
          << machine << ' ' << compute_ns << " ns";
    }
  }
}

TEST(queue_automatic_test, counts_what_it_chooses) {
  on_machine("cx4-100g", [](far::world& world) {
    far::queue<std::uint64_t> one(world, 0, 100);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_TRUE(one.try_push(i));
    std::array<std::uint64_t, 4> some{};
    EXPECT_EQ(one.try_pop(std::span(some)), some.size());
    const far::model::choice_counts counts = one.choices();
    EXPECT_EQ(counts.one_sided + counts.calls, world.rank() == 0 ? 0u : 11u);
    EXPECT_EQ(one.with(far::policy::rpc).try_pop(std::span(some)), some.size());
    EXPECT_EQ(one.choices().calls, counts.calls);  // counts choices, not requested calls
    far::barrier(world);
  });
}

}  // namespace

#endif
