#include "bench/harness/statistics.hpp"

#include <gtest/gtest.h>

#include "far/base/random.hpp"

namespace far::bench {
namespace {

TEST(median_test, is_the_middle_one) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({5}), 5);
  EXPECT_EQ(median({9, 1, 4}), 4);
  EXPECT_EQ(median({4, 9, 1, 5}), 5);
}

TEST(trimmed_mean_test, leaves_out_a_tenth_on_each_side) {
  EXPECT_DOUBLE_EQ(trimmed_mean({1, 2, 3}), 2);
  EXPECT_DOUBLE_EQ(trimmed_mean({1000, 1, 1, 2, 2, 3, 3, 4, 4, -1000}), 2.5);
}

// The positions are those of printed tables of the sign test.
TEST(median_interval_test, takes_the_places_of_the_sign_test) {
  const auto of_places = [](int count) {
    std::vector<double> values;
    for (int i = 1; i <= count; ++i) values.push_back(i);
    return median_interval(std::move(values));
  };
  EXPECT_EQ(of_places(6).low, 1);
  EXPECT_EQ(of_places(6).high, 6);
  EXPECT_EQ(of_places(10).low, 2);
  EXPECT_EQ(of_places(10).high, 9);
  EXPECT_EQ(of_places(31).low, 10);
  EXPECT_EQ(of_places(31).middle, 16);
  EXPECT_EQ(of_places(31).high, 22);
  EXPECT_THROW(of_places(5), std::invalid_argument);
}

TEST(median_interval_test, holds_the_true_median_as_often_as_it_says) {
  base::random random(7);
  int held = 0;
  constexpr int tries = 4000;
  for (int i = 0; i < tries; ++i) {
    std::vector<double> values;
    // Far from a normal distribution; its median is 1 / 4.
    for (int k = 0; k < 20; ++k) {
      const double u = static_cast<double>(random.below(1 << 20)) / (1 << 20);
      values.push_back(u * u);
    }
    const interval found = median_interval(std::move(values));
    if (found.low <= 0.25 && 0.25 <= found.high) ++held;
  }
  EXPECT_GT(held, tries * 94 / 100);
  EXPECT_LT(held, tries * 98 / 100);  // and the interval is not wider than necessary
}

TEST(paired_ratio_test, is_not_misled_by_a_drift_that_hits_both) {
  std::vector<double> times;
  std::vector<double> others;
  for (int round = 1; round <= 9; ++round) {
    times.push_back(1.25 * round);
    others.push_back(round);
  }
  times[3] *= 100;  // another program had the core
  const interval ratio = paired_ratio(times, others);
  EXPECT_DOUBLE_EQ(ratio.low, 1.25);
  EXPECT_DOUBLE_EQ(ratio.middle, 1.25);
  EXPECT_DOUBLE_EQ(ratio.high, 1.25);
}

}  // namespace
}  // namespace far::bench
