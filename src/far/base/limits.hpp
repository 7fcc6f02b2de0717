#pragma once
// What the system lets this process have. Where it sets no limit: the largest number.

#include <cstdint>
#include <string>

namespace far::base {

/// Bytes that its files may have at most, shared memory without a name too (`ulimit -f`). What
/// makes a longer one is killed by SIGXFSZ.
std::uint64_t file_size_limit() noexcept;

/// Bytes of address space that it may still map (`ulimit -v`).
std::uint64_t address_space_left();

/// The least memory limit of the control groups that it is in, of version 1 or 2.
/// `root`: where the system's files are, for tests.
std::uint64_t control_group_memory(const std::string& root = "");

/// Bytes of memory that it may use: the machine's, or what its control groups have of it.
std::uint64_t usable_memory();

}  // namespace far::base
