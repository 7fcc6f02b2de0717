#pragma once
// Runs the body of a test on ranks: as threads, as forked processes, as such that reach each other
// through UCX, and as fibers of the simulator under many seeds, so that one test covers every
// fabric. UCX_TLS says which transports UCX uses; not set: TCP over loopback.
//
//   using barrier_test = far::test::on_ranks;
//
//   TEST_P(barrier_test, lets_nobody_through_early) {
//     run([](far::world& world) { EXPECT_EQ(world.size(), 5); });
//   }
//   INSTANTIATE_FAR_MODES(barrier_test);               // the usual numbers of ranks: of fibers,
//                                                      // 1 to 64, which each seed draws
//   INSTANTIATE_FAR_MODES_ON(other_test, 2, 4);        // or these only
//
// A failed expectation on any rank, forked ones included, fails the test and ends the job when
// that rank's body ends. Under fibers the message names the seed; the environment variable
// FAR_TEST_SEEDS=17-17 replays it, and FAR_TEST_SEEDS=5000 tries seeds 1 .. 5000.
//
// Bodies of different ranks may run at the same time in one process: what they share by capture
// must be atomic, and in processes it is not shared at all.

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/far.hpp"

namespace far::test {

/// Parameter of the fixture: how to run a test's ranks, and how many. 0: as many as the seed says.
struct ranks {
  job_mode mode = job_mode::threads;
  int count = 1;
  int per_node = 0;
};
std::ostream& operator<<(std::ostream& out, const ranks& value);

inline constexpr int usual_seeds = 200;

/// Each number of ranks in each mode; with no numbers given, the usual ones of each mode. With
/// UCX, up to three ranks have a node each, more share nodes by two. Fibers are left out under
/// ThreadSanitizer, which cannot follow them, and every other of the given numbers under
/// AddressSanitizer, which is slow: the largest stays.
std::vector<ranks> all_modes(const std::vector<int>& given = {});

/// The name of a parameter in a test's name: "threads_5".
std::string name_of(const ::testing::TestParamInfo<ranks>& info);

/// How many seeds a test tries that asks for `usual`: FAR_TEST_MAX_SEEDS at most, where that is
/// set, as the quick tiers do (docs/testing.md).
[[nodiscard]] int seeds_here(int usual);

/// How often a rank may do what takes `operations`, 1 to `most` times: in a simulated job so that
/// those of all ranks, and some to start and meet, are 5,000 at most; elsewhere `most`.
[[nodiscard]] int rounds_in_sim(const fabric::fabric& rank, int operations, int most);
[[nodiscard]] int rounds_in_sim(const world& view, int operations, int most);

/// Whether runs on fibers may do more than 5,000 operations.
enum class run_size : std::uint8_t { limited, any };

/// Runs the body on options.ranks ranks, or on as many as the seed draws where that is 0; with
/// fibers once per seed 1 .. seeds_here(seeds), or per seed of FAR_TEST_SEEDS. The world version
/// leaves as far::run does (quiesces); the fabric version has nothing around the body. Failed
/// expectations are failures of the calling test, and so are runs of more than the allowed size;
/// what a body throws is thrown here.
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
