#pragma once
// Jobs over several machines, for those who have only ssh: a launcher on each, and one that heads
// them.

#include "far/launch/launch.hpp"

namespace far::launch {

/// `far run --hosts`, where options.hosts is not empty.
int run_over_hosts(const launch_options& options);

}  // namespace far::launch
