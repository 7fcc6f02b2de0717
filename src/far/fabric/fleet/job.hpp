#pragma once
// Jobs over several machines, for those who have only ssh: a launcher on each, and one that heads
// them.

#include "far/fabric/launch.hpp"

namespace far::fabric::fleet {

/// `far run --hosts`, where options.hosts is not empty.
int launch(const launch_options& options);
/// `far run --node`: the launcher of one machine, whose head is at its standard input and output.
int serve();

}  // namespace far::fabric::fleet
