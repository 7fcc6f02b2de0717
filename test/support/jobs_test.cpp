// Tests the test support: a rank's failed expectation must reach the test, on every fabric. The
// failing tests run in another process of this program, which sets JOBS_TEST_FAILS.

#include "test/support/jobs.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::test {
namespace {

bool shall_fail() { return std::getenv("JOBS_TEST_FAILS") != nullptr; }

struct outcome {
  bool passed;
  std::string output;
};

/// Returns the output of this program when it runs `test` with failures on.
outcome run_inner(const std::string& test) {
  const std::string command =
      fmt::format("env -u FAR_TEST_SEEDS JOBS_TEST_FAILS=1 '{}' --gtest_filter={} 2>&1",
                  ::testing::internal::GetArgvs().front(), test);
  outcome result{true, ""};
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> block;
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) result.output += block.data();
  result.passed = pclose(pipe) == 0;
  return result;
}

using jobs_inner_test = on_ranks;

TEST_P(jobs_inner_test, one_rank_fails) {
  if (!shall_fail()) return;
  run([](world& world) { EXPECT_NE(world.rank(), 1) << "said by the last rank"; });
}

TEST_P(jobs_inner_test, one_rank_gives_up_while_others_wait) {
  if (!shall_fail()) return;
  run([](world& world) {
    ASSERT_NE(world.rank(), 1) << "said by the last rank";
    world.context().wait([] { return false; }, fabric::never, {"the other rank", 1, {}});
  });
}

TEST_P(jobs_inner_test, one_rank_throws) {
  if (!shall_fail()) return;
  run([](world& world) {
    if (world.rank() == 1) throw out_of_memory("thrown by the last rank");
  });
}

TEST_P(jobs_inner_test, ranks_do_much) {
  if (!shall_fail()) return;
  run([](world& world) {
    const auto word = allocate<std::uint64_t>(world, 1);
    barrier(world);
    const auto operations = world.fabric().name() == "sim" ? 7000 : 1;
    for (int i = 0; i < operations / world.size(); ++i) {
      put(world, word.on(0), static_cast<std::uint64_t>(i));
    }
    barrier(world);
  });
}

INSTANTIATE_FAR_MODES_ON(jobs_inner_test, 2);

class jobs_test : public ::testing::TestWithParam<ranks> {};

TEST_P(jobs_test, reports_failures_of_ranks) {
  if (shall_fail()) return;
  const std::string mode = ::testing::PrintToString(GetParam());
  for (const auto& [test, text] :
       {std::pair{"one_rank_fails", "said by the last rank"},
        std::pair{"one_rank_gives_up_while_others_wait", "said by the last"},
        std::pair{"one_rank_throws", "thrown by the last rank"}}) {
    const outcome inner = run_inner(fmt::format("on/jobs_inner_test.{}/{}", test, mode));
    EXPECT_FALSE(inner.passed) << test;
    EXPECT_NE(inner.output.find(text), std::string::npos) << test << ":\n" << inner.output;
    if (GetParam().mode == job_mode::fibers) {
      EXPECT_NE(inner.output.find("FAR_TEST_SEEDS=1-1 replays it"), std::string::npos)
          << inner.output;
    }
  }
}

INSTANTIATE_FAR_MODES_ON(jobs_test, 2);

// Two ranks that put 5000 words and meet twice exceed the limit; ranks that only meet do not.
TEST(sizes_test, large_runs_fail) {
  if (shall_fail() || all_modes({1}).size() < 3) return;
  const outcome large = run_inner("on/jobs_inner_test.ranks_do_much/fibers_2");
  EXPECT_FALSE(large.passed) << large.output;
  EXPECT_NE(large.output.find(fmt::format("{0} of {0} runs do more", seeds_here(usual_seeds))),
            std::string::npos)
      << large.output;
  EXPECT_EQ(run_inner("on/jobs_inner_test.one_rank_fails/fibers_2").output.find("runs do more"),
            std::string::npos);
}

// Seeds are tried in turn, as many as the user allows; if the user names seeds, only those.
TEST(seeds_test, are_tried_in_turn) {
  const bool given = std::getenv("FAR_TEST_SEEDS") != nullptr;
  if (given || shall_fail() || all_modes({1}).size() < 3) return;
  std::vector<std::uint64_t> times;
  run_options options;
  options.mode = job_mode::fibers;
  run_fabric(
      options, [&](fabric::fabric& rank) { times.push_back(rank.now()); }, 7);
  EXPECT_EQ(times.size(), seeds_here(7));
}

}  // namespace
}  // namespace far::test
