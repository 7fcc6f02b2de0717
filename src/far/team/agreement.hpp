#pragma once
// The collective steps that distributed objects share, of whatever room.

#include <cstdint>

#include "far/world/world.hpp"

namespace far::detail {

/// Collective: whether all ranks have come with the same number.
[[nodiscard]] bool all_agree(const world& view, std::uint64_t mine);

}  // namespace far::detail
