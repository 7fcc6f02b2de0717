#pragma once
// Jobs over several machines that are reached by ssh only: a launcher on each, and a head that
// controls them.

#include "far/launch/launch.hpp"

namespace far::launch {

/// Runs `far run --hosts`; options.hosts must not be empty.
int run_over_hosts(const launch_options& options);

}  // namespace far::launch
