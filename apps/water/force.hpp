#pragma once
// Forces inside a molecule and between two, as the parallel program computes them.

#include "apps/water/model.hpp"

namespace far::apps::water {

/// Adds the forces of a molecule's bonds and angle. Returns their energy.
double add_bonded(const sites& at, sites& force);

/// Adds the forces between two molecules. Both oxygens are inside the box. Returns the energy; 0,
/// and adds nothing, beyond the cutoff.
double add_pair(const sites& a, const sites& b, const box& in, sites& on_a, sites& on_b);

}  // namespace far::apps::water
