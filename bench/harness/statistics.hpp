#pragma once
// Statistics of times that were measured in rounds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace far::bench {

/// The median; of an even number of values, the higher of the two middle ones; 0 of no values.
[[nodiscard]] inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The mean of the values without the lowest and highest tenth.
[[nodiscard]] inline double trimmed_mean(std::vector<double> values) {
  std::ranges::sort(values);
  const auto tenth = static_cast<std::ptrdiff_t>(values.size() / 10);
  const double sum = std::accumulate(values.begin() + tenth, values.end() - tenth, 0.0);
  return sum / static_cast<double>(std::ssize(values) - 2 * tenth);
}

/// An estimate with its 95 % confidence interval.
struct interval {
  double low;
  double middle;
  double high;
};

/// The median of independent values of any distribution, and its confidence interval by inverting
/// the sign test. Throws std::invalid_argument for fewer than 6 values, which are too few for that
/// confidence.
[[nodiscard]] inline interval median_interval(std::vector<double> values) {
  const std::size_t count = values.size();
  if (count < 6) throw std::invalid_argument("an interval needs 6 values or more");
  std::ranges::sort(values);
  // `below`: the probability that at most `outer` values are below the true median (binomial, 1/2).
  double chance = std::pow(0.5, static_cast<double>(count));
  double below = chance;
  std::size_t outer = 0;
  for (;; ++outer) {
    chance *= static_cast<double>(count - outer) / static_cast<double>(outer + 1);
    if (below + chance > 0.025) break;
    below += chance;
  }
  return {values[outer], median(values), values[count - 1 - outer]};
}

/// The median ratio of `times` to `others`, measured in the same rounds: of the rounds' ratios.
[[nodiscard]] inline interval paired_ratio(std::span<const double> times,
                                           std::span<const double> others) {
  std::vector<double> ratios(times.size());
  std::ranges::transform(times, others, ratios.begin(), std::divides<>());
  return median_interval(std::move(ratios));
}

}  // namespace far::bench
