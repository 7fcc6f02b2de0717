#pragma once
// Makes a failing trace small enough to read.

#include <cstdint>
#include <functional>

#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

struct shrunk {
  trace decisions;
  int runs = 0;  ///< runs that the search took
};

/// Reduces the answers of a trace that are not calm, within `max_runs` runs: cuts off its end, then
/// makes chunks calm, from half of it down to single answers (delta debugging: Zeller and
/// Hildebrandt, TSE 2002), then makes answers smaller. `fails` runs the program, and returns
/// whether it still fails as before. `decisions` must fail.
[[nodiscard]] shrunk shrink(trace decisions, const std::function<bool(const trace&)>& fails,
                            int max_runs = 1000);

}  // namespace far::fabric::sim
