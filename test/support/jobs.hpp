#pragma once
// Runs the body of a test on ranks, so that one test covers every fabric: as threads, as forked
// processes, as processes that reach each other through UCX, and as fibers of the simulator under
// many seeds. UCX_TLS selects the transports of UCX; if not set, TCP over loopback is used.
//
//   using barrier_test = far::test::on_ranks;
//
//   TEST_P(barrier_test, lets_nobody_through_early) {
//     run([](far::world& world) { EXPECT_EQ(world.size(), 5); });
//   }
//   INSTANTIATE_FAR_MODES(barrier_test);               // the default numbers of ranks; with
//                                                      // fibers each seed draws one, 1 to 64
//   INSTANTIATE_FAR_MODES_ON(other_test, 2, 4);        // or only these
//
// A failed expectation on any rank, forked ones included, fails the test, and ends the job when
// that rank's body ends. Under fibers the message names the seed; the environment variable
// FAR_TEST_SEEDS=17-17 replays it, and FAR_TEST_SEEDS=5000 tries seeds 1 .. 5000.
//
// Bodies of different ranks may run at the same time in one process: what they share by capture
// must be atomic. In processes it is not shared.

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"

namespace far::test {

/// Parameter of the fixture: how to run a test's ranks, and how many. 0: the seed draws the number.
struct ranks {
  job_mode mode = job_mode::threads;
  int count = 1;
  int per_node = 0;
};
std::ostream& operator<<(std::ostream& out, const ranks& value);

inline constexpr int usual_seeds = 200;

/// Each number of ranks in each mode; without given numbers, the default ones of each mode. With
/// UCX, each of up to three ranks has its own node; more ranks share nodes in pairs. Fibers are
/// left out under ThreadSanitizer, which cannot follow them. In quick tiers (docs/testing.md), and
/// under AddressSanitizer, every other of the given numbers is left out; the largest stays, with
/// UCX if it is at most 5.
std::vector<ranks> all_modes(const std::vector<int>& given = {});

/// The parameter's part of a test's name: "threads_5".
std::string name_of(const ::testing::TestParamInfo<ranks>& info);

/// The number of seeds for a test that would try `usual`: at most FAR_TEST_MAX_SEEDS, if that is
/// set, as the quick tiers do (docs/testing.md).
[[nodiscard]] int seeds_here(int usual);

/// How often a rank may run a body that takes `operations`: 1 to `max` times. In a simulated job
/// the operations of all ranks, plus some for start and rendezvous, stay within 7,000; elsewhere
/// `max`.
[[nodiscard]] int rounds_in_sim(const fabric::fabric& rank, int operations, int max);
[[nodiscard]] int rounds_in_sim(const world& world, int operations, int max);

/// Whether ThreadSanitizer would report false races between threads of one rank: it sees one
/// process, and what goes from thread to thread by way of another process orders them unseen.
[[nodiscard]] bool orders_threads_unseen(const run_options& options);

/// Whether runs on fibers may do more than 7,000 operations.
enum class run_size : std::uint8_t { limited, any };

/// Runs the body on options.ranks ranks, or if that is 0, on the number that the seed draws. With
/// fibers it runs once per seed 1 .. seeds_here(seeds), or per seed of FAR_TEST_SEEDS. The world
/// version leaves as far::run does (quiesces); the fabric version adds nothing around the body.
/// Failed expectations, and runs larger than allowed, are failures of the calling test. Exceptions
/// of the body are rethrown.
void run(const run_options& options, const std::function<void(world&)>& body,
         int seeds = usual_seeds, run_size allowed = run_size::limited);
void run_fabric(const run_options& options, const std::function<void(fabric::fabric&)>& body,
                int seeds = usual_seeds);

/// The fixture. A test may change `options` (sizes, lanes, service), `seeds` and `allowed` before
/// it runs.
class on_ranks : public ::testing::TestWithParam<ranks> {
 protected:
  on_ranks() {
    options.mode = GetParam().mode;
    options.ranks = GetParam().count;
    options.ranks_per_node = GetParam().per_node;
  }

  void run(const std::function<void(world&)>& body) { test::run(options, body, seeds, allowed); }
  void run_fabric(const std::function<void(fabric::fabric&)>& body) {
    test::run_fabric(options, body, seeds);
  }

  run_options options;
  int seeds = usual_seeds;
  run_size allowed = run_size::limited;
};

}  // namespace far::test

#define INSTANTIATE_FAR_MODES(suite)                                                 \
  INSTANTIATE_TEST_SUITE_P(on, suite, ::testing::ValuesIn(::far::test::all_modes()), \
                           ::far::test::name_of)
#define INSTANTIATE_FAR_MODES_ON(suite, ...)                                                      \
  INSTANTIATE_TEST_SUITE_P(on, suite, ::testing::ValuesIn(::far::test::all_modes({__VA_ARGS__})), \
                           ::far::test::name_of)
