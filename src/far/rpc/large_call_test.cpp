// Arguments and results that are too large for a message.

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/rpc/rpc_test.hpp"
#include "test/support/jobs.hpp"

namespace {

using large_call_test = far::test::on_ranks;
using far::test::doubled;
using far::test::next_rank;
using far::test::notes;

TEST_P(large_call_test, large_arguments_and_results) {
  seeds = 5;
  run([](far::world& world) {
    const int target = next_rank(world);
    // Near the limit of a message, and above it.
    const std::size_t limit = world.fabric().max_payload();
    const std::array<std::size_t, 8> lengths{limit - 40, limit - 3, limit - 2, limit - 1,
                                             limit,      limit + 1, 3 * limit, 300000};
    // A large simulated job tries some of these; other numbers of ranks try the others.
    const int some = far::test::rounds_in_sim(world, 14, static_cast<int>(lengths.size()));
    std::uint64_t said = 0;
    for (int i = 0; i < some; ++i) {
      const std::size_t bytes =
          lengths[static_cast<std::size_t>(world.size() + i) % lengths.size()];
      said += bytes;
      std::string text(bytes, 'a');
      text.front() = '<';
      text.back() = '>';
      EXPECT_EQ(far::rpc(
                    world, target, [](const std::string& s) { return s.size(); }, text)
                    .get(),
                bytes);
      const std::string back =
          far::rpc(
              world, target, [](std::size_t n) { return std::string(n, 'b'); }, bytes)
              .get();
      EXPECT_EQ(back, std::string(bytes, 'b'));
      EXPECT_EQ(far::rpc(
                    world, target, [](std::string s) { return s; }, text)
                    .get(),
                text);
      far::rpc_oneway(
          world, target,
          [](far::rank_state& s, const std::string& t) { s.get<notes>().sum += t.size(); }, text);
    }
    far::quiesce(world);
    EXPECT_EQ(world.state().get<notes>().sum, said);
    EXPECT_THROW(
        far::rpc(
            world, target, [](const std::string&) { throw far::out_of_bounds("after fetching"); },
            std::string(50000, 'x'))
            .get(),
        far::out_of_bounds);
  });
}

TEST_P(large_call_test, large_data_leave_no_memory_behind) {
  options.local_bytes = 2 << 20;
  seeds = 5;
  run([](far::world& world) {
    // Each needs half of the local segment, so a leak makes a later one fail.
    for (int i = 0; i < 8; ++i) {
      const std::string echo =
          far::rpc(
              world, next_rank(world), [](std::string s) { return s; }, std::string(400 << 10, 'x'))
              .get();
      EXPECT_EQ(echo.size(), 400u << 10);
      far::rpc_oneway(
          world, next_rank(world), [](const std::string&) {}, std::string(400 << 10, 'x'));
      far::quiesce(world);
    }
  });
}

TEST_P(large_call_test, too_large_data_are_an_error) {
  options.local_bytes = 1 << 20;
  run([](far::world& world) {
    const int target = next_rank(world);
    EXPECT_THROW((void)far::rpc(
                     world, target, [](std::string) {}, std::string(2 << 20, 'x')),
                 far::out_of_memory);
    EXPECT_THROW(far::rpc_oneway(
                     world, target, [](std::string) {}, std::string(2 << 20, 'x')),
                 far::out_of_memory);
    EXPECT_THROW(far::rpc(world, target, [] { return std::string(2 << 20, 'x'); }).get(),
                 far::out_of_memory);
    EXPECT_THROW((void)far::rpc<doubled>(world, world.size(), 1), far::bad_argument);
    EXPECT_THROW((void)far::rpc<doubled>(world, -1, 1), far::bad_argument);
    EXPECT_EQ(far::rpc<doubled>(world, target, 1).get(), 2);
  });
}

INSTANTIATE_FAR_MODES(large_call_test);

// 100 MB in one call, in each direction.
TEST(LargeCall, HundredMegabytes) {
  for (const auto mode : {far::job_mode::threads, far::job_mode::processes}) {
    far::run_options options;
    options.ranks = 2;
    options.mode = mode;
    options.local_bytes = std::uint64_t{320} << 20;
    far::test::run(options, [](far::world& world) {
      constexpr std::size_t bytes = 100 << 20;
      if (world.rank() == 0) {
        std::vector<std::uint64_t> data(bytes / 8);
        std::iota(data.begin(), data.end(), 0u);
        const auto echo = [](std::vector<std::uint64_t> v) {
          for (auto& x : v) x *= 2;
          return v;
        };
        const std::vector<std::uint64_t> back = far::rpc(world, 1, echo, data).get();
        ASSERT_EQ(back.size(), data.size());
        for (std::size_t i = 0; i < back.size(); i += 4099) EXPECT_EQ(back[i], 2 * i);
      }
      far::quiesce(world);
    });
  }
}

}  // namespace
