#pragma once

#include "far/fabric/explore.hpp"

namespace far::fabric::sim {

/// Implements far::fabric::explore.
explored explore(const explore_options& options);

}  // namespace far::fabric::sim
