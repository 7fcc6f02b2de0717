#pragma once

#include <sys/types.h>

namespace far::fabric::shm {

/// This process is killed when its parent ends. False if `parent` has ended already.
bool die_with_parent(pid_t parent) noexcept;

/// Ends a process without what has been registered for its end, as a forked one must, and one whose
/// other threads go on: writes out the standard streams (and gcov's counters), and leaves.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace far::fabric::shm
