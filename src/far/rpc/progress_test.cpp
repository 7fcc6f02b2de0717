// One-way calls, quiesce, and more calls than there is space for.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using progress_test = far::test::on_ranks;
using far::test::doubled;
using far::test::next_rank;
using far::test::notes;

/// A rank calls the ranks from itself on: all, or in a large simulated job some. So each rank is
/// called by as many ranks as it calls.
int target_of(const far::world& world, int i) { return (world.rank() + i) % world.size(); }

TEST_P(progress_test, one_way_calls) {
  run([](far::world& world) {
    const int targets = far::test::rounds_in_sim(world, 2, world.size());
    const int calls = far::test::rounds_in_sim(world, 2 * targets, 100);
    for (int t = 0; t < targets; ++t) {
      const int target = target_of(world, t);
      for (int i = 1; i <= calls; ++i) {
        far::rpc_oneway(
            world, target, [](far::rank_state& s, std::uint64_t x) { s.get<notes>().sum += x; },
            static_cast<std::uint64_t>(i));
        far::rpc_oneway(world, target, [](far::world& w) { ++w.state().get<notes>().calls; });
      }
    }
    far::quiesce(world);
    const auto all = static_cast<std::uint64_t>(calls * targets);
    EXPECT_EQ(world.state().get<notes>().sum, all * static_cast<std::uint64_t>(calls + 1) / 2);
    EXPECT_EQ(world.state().get<notes>().calls, all);
  });
}

TEST_P(progress_test, one_way_failures_reach_quiesce) {
  run([](far::world& world) {
    far::rpc_oneway(
        world, next_rank(world), [](int) { throw far::bad_argument("lost"); }, 1);
    EXPECT_THROW(far::quiesce(world), far::bad_argument);
    EXPECT_NO_THROW(far::quiesce(world));
  });
}

TEST_P(progress_test, dropped_futures_do_no_harm) {
  run([](far::world& world) {
    const int calls = far::test::rounds_in_sim(world, 4, 50);
    for (int i = 0; i < calls; ++i) {
      (void)far::rpc(world, next_rank(world), [](far::rank_state& s) {
        return std::string(static_cast<std::size_t>(++s.get<notes>().calls) * 100, 'x');
      });
    }
    far::quiesce(world);
    EXPECT_EQ(world.state().get<notes>().calls, static_cast<std::uint64_t>(calls));
  });
}

TEST_P(progress_test, storms_do_not_deadlock) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int targets = far::test::rounds_in_sim(world, 6, world.size());
    const int calls = far::test::rounds_in_sim(world, 2 * targets, fibers ? 60 : 10000);
    std::vector<far::future<std::uint64_t>> futures;
    std::uint64_t expected = 0;
    for (int i = 0; i < calls; ++i) {
      for (int t = 0; t < targets; ++t) {
        const int target = target_of(world, t);
        far::rpc_oneway(world, target, [](far::rank_state& s) { ++s.get<notes>().calls; });
        if (i % 16 == 0) {
          futures.push_back(far::rpc(
              world, target,
              [](far::world& there, std::uint64_t x) {
                return far::rpc(
                    there, next_rank(there), [](std::uint64_t y) { return y + 1; }, x);
              },
              static_cast<std::uint64_t>(i)));
          expected += static_cast<std::uint64_t>(i) + 1;
        }
      }
    }
    std::uint64_t sum = 0;
    for (auto& f : futures) sum += f.get();
    EXPECT_EQ(sum, expected);
    far::quiesce(world);
    EXPECT_EQ(world.state().get<notes>().calls,
              static_cast<std::uint64_t>(calls) * static_cast<std::uint64_t>(targets));
  });
}

TEST_P(progress_test, storms_of_large_results_do_not_deadlock) {
  const bool fibers = GetParam().mode == far::job_mode::fibers;
  run([fibers](far::world& world) {
    const int targets = far::test::rounds_in_sim(world, 8, world.size());
    const int calls = far::test::rounds_in_sim(world, 8 * targets, fibers ? 10 : 300);
    std::vector<far::future<std::string>> futures;
    for (int i = 0; i < calls; ++i) {
      for (int t = 0; t < targets; ++t) {
        futures.push_back(far::rpc(
            world, target_of(world, t), [](std::string s) { return s + s; },
            std::string(5000, static_cast<char>('a' + i % 26))));
      }
    }
    for (std::size_t i = 0; i < futures.size(); ++i) {
      const char c = static_cast<char>('a' + static_cast<int>(i) / targets % 26);
      EXPECT_EQ(futures[i].get(), std::string(10000, c));
    }
    far::quiesce(world);
  });
}

TEST_P(progress_test, service_thread_runs_calls) {
  run([](far::world& world) {
    const far::service service(world);
    far::quiesce(world);
    // The target makes no progress itself; its service thread answers.
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(far::rpc<doubled>(world, next_rank(world), i).get(), 2 * i);
    }
    far::quiesce(world);
  });
}

/// What a rank has been told, for a thread that makes no progress.
struct told {
  explicit told(far::rank_state&) {}
  std::atomic<std::uint64_t> calls = 0;
};

// A reply comes with a message before it. Who waits for the reply may be the one that the message
// wakes: it leaves, and the service thread has to handle the message. If nobody does, this hangs.
TEST_P(progress_test, who_leaves_passes_messages_on) {
  if (GetParam().mode == far::job_mode::fibers) return;  // whose time stands while a rank loops
  run([](far::world& world) {
    const far::service service(world);
    for (std::uint64_t i = 1; i <= 300; ++i) {
      far::rpc(
          world, next_rank(world),
          [](far::world& there, int caller) {
            far::rpc_oneway(there, caller, [](far::rank_state& s) {
              ++s.get<told>().calls;
              s.get<told>().calls.notify_all();
            });
          },
          world.rank())
          .get();
      const auto& calls = world.state().get<told>().calls;
      for (std::uint64_t seen = calls; seen < i; seen = calls) calls.wait(seen);
    }
    far::quiesce(world);
  });
}

INSTANTIATE_FAR_MODES(progress_test);

}  // namespace
