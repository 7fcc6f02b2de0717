#pragma once

#include <sys/types.h>

namespace far::fabric::shm {

/// Makes the kernel kill this process when its parent ends. False if `parent` has already ended.
bool die_with_parent(pid_t parent) noexcept;

/// Flushes the standard streams (and gcov's counters), then ends the process without exit handlers.
/// For a forked process, and for one whose other threads keep running.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace far::fabric::shm
