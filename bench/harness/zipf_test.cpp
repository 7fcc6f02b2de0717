#include "bench/harness/zipf.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace far::bench {
namespace {

constexpr double skew = 0.99;

TEST(zipf_test, the_first_ranks_have_their_shares) {
  constexpr std::uint64_t n = 1000;
  constexpr int count = 200'000;
  zipf_ranks next(n, skew, 1);
  std::map<std::uint64_t, int> found;
  for (int i = 0; i < count; ++i) ++found[next()];
  double zeta = 0;
  for (int k = 1; k <= static_cast<int>(n); ++k) zeta += std::pow(k, -skew);
  EXPECT_DOUBLE_EQ(next.first_share(), 1 / zeta);
  for (const std::uint64_t rank : {0u, 1u}) {
    const double share = std::pow(static_cast<double>(rank) + 1, -skew) / zeta;
    EXPECT_NEAR(found[rank], count * share, count * share * 0.03) << rank;
  }
  EXPECT_LT(found.rbegin()->first, n);
}

// The approximation of Gray et al. is within a few percent for sums of many ranks.
TEST(zipf_test, the_first_half_of_the_ranks_has_its_share) {
  constexpr std::uint64_t n = 1000;
  constexpr int count = 100'000;
  zipf_ranks next(n, skew, 2);
  int first_half = 0;
  for (int i = 0; i < count; ++i) first_half += next() < n / 2 ? 1 : 0;
  double zeta = 0;
  double half = 0;
  for (int k = 1; k <= static_cast<int>(n); ++k) {
    zeta += std::pow(k, -skew);
    if (k == static_cast<int>(n / 2)) half = zeta;
  }
  EXPECT_NEAR(first_half, count * half / zeta, count * 0.02);
}

TEST(scrambled_zipf_test, is_reproducible_and_in_range) {
  const auto some = scrambled_zipf(100, skew, 1000, 3);
  EXPECT_EQ(some, scrambled_zipf(100, skew, 1000, 3));
  EXPECT_NE(some, scrambled_zipf(100, skew, 1000, 4));
  for (const std::uint64_t index : some) EXPECT_LT(index, 100u);
}

}  // namespace
}  // namespace far::bench
