#pragma once
// The model's predictions for the operations that benchmarks measure on two processes of this
// machine.

#include "far/model/model.hpp"

namespace far::bench {

/// Components' costs for one of two processes of this machine that both issue: on its own memory,
/// and the mean of own and remote memory.
struct two_process_costs {
  model::component_costs own;
  model::component_costs either;
};

/// Measures these costs like `far model calibrate`. Takes about a second.
[[nodiscard]] two_process_costs measure_two_processes();

}  // namespace far::bench
