#pragma once
// What the model says of the operations that benchmarks measure on two processes of this machine.

#include "far/model/model.hpp"

namespace far::bench {

/// What components cost one of two processes of this machine that both issue: of its own memory,
/// and of either's, as often.
struct two_process_costs {
  model::component_costs own;
  model::component_costs either;
};

/// Measures them, as far model calibrate does. Takes about a second.
[[nodiscard]] two_process_costs measure_two_processes();

}  // namespace far::bench
