#pragma once
// Limits that the system sets for this process. The largest number stands for "no limit".

#include <cstdint>
#include <string>

namespace far::base {

/// Max bytes of a file that this process writes (`ulimit -f`). The limit also applies to unnamed
/// shared memory. A process that makes a file longer is killed by SIGXFSZ.
std::uint64_t file_size_limit() noexcept;

/// Bytes of address space that this process may still map (`ulimit -v`).
std::uint64_t address_space_left();

/// The smallest memory limit of this process's control groups, of version 1 or 2.
/// `root`: prefix of the system's files, for tests.
std::uint64_t control_group_memory(const std::string& root = "");

/// Bytes of memory that this process may use: the machine's memory or the limit of its control
/// groups, whichever is smaller.
std::uint64_t usable_memory();

}  // namespace far::base
