#pragma once

#include <vector>

#include "far/fabric/simulate.hpp"

namespace far::fabric::sim {

/// Implement far::fabric::simulate and simulated_machines.
simulated simulate(const simulate_options& options);
std::vector<simulated_machine> machines();

}  // namespace far::fabric::sim
