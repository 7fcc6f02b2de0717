// Which ranks a batch leaves out, compared with a search of all ways to split it.

#include "far/model/answer_times.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::model {
namespace {

constexpr many_one_sided costs{2000, 500};

TEST(answer_times_test, who_holds_up_all_is_left_out) {
  answer_times answers;
  for (std::size_t rank = 0; rank < 16; ++rank) answers.observe(rank, 10'000);
  EXPECT_FALSE(answers.best_split(std::vector<std::uint32_t>(16, 8), costs).leaves_out_some());
  for (int i = 0; i < 10; ++i) answers.observe(3, 60'000);
  const batch_split split = answers.best_split(std::vector<std::uint32_t>(16, 8), costs);
  EXPECT_EQ(split.slowest_ns, 10'000);
  EXPECT_LT(split.share, 0.2);
  EXPECT_GT(answers.of(3), split.slowest_ns);

  // The slow rank is not left out if it has no keys, or too many.
  std::vector<std::uint32_t> keys(16, 8);
  keys[3] = 0;
  EXPECT_FALSE(answers.best_split(keys, costs).leaves_out_some());
  keys[3] = 200;
  EXPECT_FALSE(answers.best_split(keys, costs).leaves_out_some());
}

TEST(answer_times_test, who_has_not_answered_is_called) {
  answer_times answers;
  EXPECT_FALSE(answers.best_split(std::vector<std::uint32_t>(8, 8), costs).leaves_out_some());
  answers.observe(2, 100'000);
  EXPECT_EQ(answers.of(7), 0);
  const batch_split split = answers.best_split(std::vector<std::uint32_t>(8, 8), costs);
  EXPECT_EQ(split.slowest_ns, 0);
}

TEST(answer_times_test, what_was_is_forgotten) {
  answer_times answers;
  for (int i = 0; i < 100; ++i) answers.observe(0, 60'000);
  for (int i = 0; i < 8; ++i) answers.observe(0, 10'000);
  EXPECT_LT(answers.of(0), 16'000);
}

// Answer times that differ by less than a fifth or so share a bin, and a split that saves less than
// a fifth is not made; so here the times are in different bins.
TEST(answer_times_test, equals_a_search_of_all_splits) {
  base::random random(7);
  for (int round = 0; round < 200; ++round) {
    answer_times answers;
    std::vector<std::uint32_t> keys;
    std::vector<double> times;
    for (std::size_t rank = 0; rank < 20; ++rank) {
      times.push_back(static_cast<double>(1000 << random.below(8)));  // in different bins
      keys.push_back(static_cast<std::uint32_t>(random.below(6)));
      answers.observe(rank, times.back());
    }
    double all = 0;
    for (std::size_t rank = 0; rank < keys.size(); ++rank) {
      if (keys[rank] != 0) all = std::max(all, times[rank]);
    }
    double best = all;
    for (const double slowest : times) {
      std::uint32_t left_out = 0;
      double wait = 0;
      for (std::size_t rank = 0; rank < keys.size(); ++rank) {
        if (keys[rank] == 0) continue;
        if (times[rank] > slowest) {
          left_out += keys[rank];
        } else {
          wait = std::max(wait, times[rank]);
        }
      }
      if (left_out == 0 || wait == 0) continue;  // not a split
      best = std::min(best, std::max(wait, costs.first_ns + costs.key_ns * left_out));
    }
    const batch_split split = answers.best_split(keys, costs);
    EXPECT_NEAR(split.share, best < 0.8 * all ? best / all : 1, 1e-6);
  }
}

}  // namespace
}  // namespace far::model
