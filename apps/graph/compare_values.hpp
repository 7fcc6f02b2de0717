#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/graph/oracle.hpp"
#include "far/base/error.hpp"

namespace far::apps {

/// Compares a number of each vertex with the oracle's; returns a line that says how close they are.
/// `what`: one of the numbers. Errors: far::error for a relative difference above `bound`.
[[nodiscard]] inline std::string compare_values(const oracle::graph& known, std::string_view what,
                                                const std::vector<double>& found,
                                                const std::vector<double>& expected, double bound) {
  double largest = 0;
  for (std::size_t v = 0; v < found.size(); ++v) {
    if (found[v] == expected[v]) continue;
    const double difference = std::abs(found[v] - expected[v]) / std::abs(expected[v]);
    if (!(difference <= bound)) {
      throw error(fmt::format("verification failed: vertex {} has {} {}, sequentially {}",
                              known.ids[v], what, found[v], expected[v]));
    }
    largest = std::max(largest, difference);
  }
  return fmt::format("{}s differ from a sequential computation's by {:.1e} of them at most", what,
                     largest);
}

}  // namespace far::apps
