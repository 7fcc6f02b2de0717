#pragma once

#include <cstdint>

#include "far/base/unique_function.hpp"

namespace far::fabric::sim {

/// An action of the network: a piece of a transfer takes place, or a message arrives. Runs outside
/// all fibers, and must not throw.
using event = base::unique_function<void()>;

/// Virtual time, in picoseconds since the job started. 2^64 ps are 213 days.
using picoseconds = std::uint64_t;
inline constexpr picoseconds never = ~picoseconds{0};

[[nodiscard]] constexpr picoseconds later(picoseconds time, picoseconds duration) noexcept {
  return duration < never - time ? time + duration : never;
}
[[nodiscard]] constexpr picoseconds from_ns(std::uint64_t ns) noexcept {
  return ns < never / 1000 ? ns * 1000 : never;
}

}  // namespace far::fabric::sim
