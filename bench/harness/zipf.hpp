#pragma once
// Streams of indices of which few are frequent, as in YCSB.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "far/base/random.hpp"

namespace far::bench {

/// Zipf-distributed ranks in [0, n): rank k has a share of 1 / (k + 1)^skew, normalized. n > 1,
/// 0 < skew < 1. Exact for the first two ranks, otherwise an approximation.
/// Cost: n powers to make.
/// Source: Gray et al., Quickly generating billion-record synthetic databases (SIGMOD 1994), as in
/// YCSB.
class zipf_ranks {
 public:
  zipf_ranks(std::uint64_t n, double skew, std::uint64_t seed)
      : n_(static_cast<double>(n)), skew_(skew), zeta_(zeta(n, skew)), random_(seed) {
    const double two = std::pow(0.5, skew);
    second_ = 1 + two;
    eta_ = (1 - std::pow(2 / n_, 1 - skew)) / (1 - second_ / zeta_);
  }

  /// The share of rank 0.
  [[nodiscard]] double first_share() const noexcept { return 1 / zeta_; }

  std::uint64_t operator()() noexcept {
    const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
    if (u * zeta_ < 1) return 0;
    if (u * zeta_ < second_) return 1;
    const double rank = n_ * std::pow(eta_ * u - eta_ + 1, 1 / (1 - skew_));
    return static_cast<std::uint64_t>(std::min(rank, n_ - 1));
  }

 private:
  static double zeta(std::uint64_t n, double skew) noexcept {
    double sum = 0;
    for (std::uint64_t k = 1; k <= n; ++k) sum += std::pow(static_cast<double>(k), -skew);
    return sum;
  }

  double n_;
  double skew_;
  double zeta_;
  double second_ = 0;  // the shares of the first two ranks, in units of the first one's
  double eta_ = 0;
  base::random random_;
};

/// `count` indices in [0, n), Zipf-distributed and scrambled: frequent ones are anywhere.
[[nodiscard]] inline std::vector<std::uint64_t> scrambled_zipf(std::uint64_t n, double skew,
                                                               std::uint64_t count,
                                                               std::uint64_t seed) {
  zipf_ranks next(n, skew, seed);
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t& index : result) index = base::mix(next() + 1) % n;
  return result;
}

}  // namespace far::bench
