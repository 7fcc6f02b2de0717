#pragma once

#include <cstdint>

#include <far/far.hpp>

#include "far/c/status.h"

namespace far::c {

/// The time of world.now() at which a timeout has passed.
inline std::uint64_t deadline_of(const far::world& world, std::uint64_t timeout_ns) {
  const std::uint64_t now = world.now();
  return timeout_ns >= fabric::never - now ? fabric::never : now + timeout_ns;
}

}  // namespace far::c
