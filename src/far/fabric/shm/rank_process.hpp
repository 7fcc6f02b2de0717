#pragma once

#include <sys/types.h>

namespace far::fabric::shm {

/// This process is killed when its parent ends. False if `parent` has ended already.
bool die_with_parent(pid_t parent) noexcept;

/// Ends a forked process without what the process that it was forked from has registered for its
/// own end: writes out the standard streams (and gcov's counters), and leaves.
[[noreturn]] void end_forked(int status) noexcept;

}  // namespace far::fabric::shm
