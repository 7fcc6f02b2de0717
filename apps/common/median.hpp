#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace far::apps {

/// The median of some values, of two in the middle the larger one; at least one.
[[nodiscard]] inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace far::apps
