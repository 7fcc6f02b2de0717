// Virtual time inside a node: cache lines that move, and loops that poll a word.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/sim/clock_machine_test.hpp"

#ifndef FAR_THREAD_SANITIZER

namespace far::fabric {
namespace {

using namespace clock_machine;

TEST(clock_lines_test, ranks_that_share_a_line_queue_up) {
  const machine_file machine(R"(, "ranks_per_node": 3, "inside": {"put": 7, "get": 8, "amo": 9},
                                  "line_transfer": 60, "line_gap": 20)");
  std::vector<std::byte> small(8);
  std::vector<std::uint64_t> took(3);
  const auto time_here = [&](fabric& rank, const auto& what) {
    const std::uint64_t begin = rank.now();
    what();
    took[static_cast<std::size_t>(rank.rank())] = rank.now() - begin;
  };
  run(3, machine, [&](fabric& rank, context& c) {
    if (rank.rank() == 0) update(c, word, amo_op::add);
    rank.quiesce(c);
    if (rank.rank() > 0) time_here(rank, [&] { get(c, word, small); });
    rank.quiesce(c);
    if (rank.rank() == 0) {  // two others have it now, and all may read it
      EXPECT_EQ(took, (std::vector<std::uint64_t>{0, 8 + 60, 8 + 60 + 20}));
      time_here(rank, [&] { get(c, word, small); });
      EXPECT_EQ(took[0], 8u);
    }
    rank.quiesce(c);
    if (rank.rank() > 0) time_here(rank, [&] { update(c, word, amo_op::add); });
    rank.quiesce(c);
    if (rank.rank() == 0) {
      EXPECT_EQ(took[1], 9u + 60);
      EXPECT_EQ(took[2], 9u + 60 + 60);
    }
  });
}

TEST(clock_lines_test, a_loop_that_polls_a_word_is_cheap_and_ends_in_time) {
  constexpr int ranks = 64;
  constexpr std::uint64_t long_ns = 1'000'000'000;  // 10^8 looks of each rank
  const machine_file machine(R"(, "ranks_per_node": 64, "inside": {"put": 7, "get": 8, "amo": 9},
                                  "line_transfer": 60)");
  std::vector<std::uint64_t> ended(ranks);
  std::uint64_t written = 0;
  run(ranks, machine, [&](fabric& rank, context& c) {
    std::vector<std::byte> seen(8);
    if (rank.rank() == 0) {
      c.compute(long_ns);
      update(c, word, amo_op::add);
      written = rank.now();
    } else {
      while (seen[0] == std::byte{0}) get(c, word, seen);
    }
    ended[static_cast<std::size_t>(rank.rank())] = rank.now();
  });
  EXPECT_GE(written, long_ns);
  for (int i = 1; i < ranks; ++i) {
    EXPECT_GE(ended[static_cast<std::size_t>(i)], written) << i;
    EXPECT_LE(ended[static_cast<std::size_t>(i)], written + 200) << i;
  }
}

}  // namespace
}  // namespace far::fabric

#endif
