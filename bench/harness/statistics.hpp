#pragma once
// What is made of times that were measured in rounds.

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

/// Of an even number of values, the higher one in the middle; 0 of none.
[[nodiscard]] inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Of the values without the lowest and highest tenth.
[[nodiscard]] inline double trimmed_mean(std::vector<double> values) {
  std::ranges::sort(values);
  const auto tenth = static_cast<std::ptrdiff_t>(values.size() / 10);
  const double sum = std::accumulate(values.begin() + tenth, values.end() - tenth, 0.0);
  return sum / static_cast<double>(std::ssize(values) - 2 * tenth);
}

/// An estimate, and where what it estimates lies with 95 % confidence.
struct interval {
  double low;
  double middle;
  double high;
};

/// Of values that come from anywhere, independently: their median, between the two values of which
/// it is known how often as many of the others lie on one side of the true one (the sign test,
/// turned round). Throws where there are fewer than 6, which say nothing with that confidence.
[[nodiscard]] inline interval median_interval(std::vector<double> values) {
  const std::size_t count = values.size();
  if (count < 6) throw std::invalid_argument("an interval needs 6 values or more");
  std::ranges::sort(values);
  // The chance that at most `outer` of them are below the true median, as for tossed coins.
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

/// How `times` compare with `others` that were measured in the same rounds: of each round's ratio.
[[nodiscard]] inline interval paired_ratio(std::span<const double> times,
                                           std::span<const double> others) {
  std::vector<double> ratios(times.size());
  std::ranges::transform(times, others, ratios.begin(), std::divides<>());
  return median_interval(std::move(ratios));
}

}  // namespace far::bench
