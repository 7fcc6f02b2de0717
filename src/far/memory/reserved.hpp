#pragma once
// Words at fixed places of every rank's memory, for layers that must find them without a message.

#include <cstdint>

#include "far/fabric/fabric.hpp"

namespace far::memory {

/// Bytes 8 .. 63 of a rank's symmetric segment are never allocated, always in its extent, and zero
/// when the job begins. Who uses them:
///     8 .. 39   the lock of the rank's memory for accumulates (sections/accumulate_lock.hpp)
///     40 .. 47  the line before the rank's buckets of hash maps (containers/map/bucket_wait.hpp)
inline constexpr std::uint64_t reserved_bytes = 64;

/// The reserved word at an offset, 8, 16, .. 56.
[[nodiscard]] constexpr fabric::address reserved_word(int rank, std::uint64_t offset) noexcept {
  return {rank, fabric::symmetric_segment, offset};
}

}  // namespace far::memory
