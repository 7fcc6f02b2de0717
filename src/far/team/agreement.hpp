#pragma once
// Collective steps that the distributed objects of all layers share.

#include <cstdint>

#include "far/world/world.hpp"

namespace far::detail {

/// Collective: returns whether all ranks pass the same number.
[[nodiscard]] bool all_agree(const world& world, std::uint64_t mine);

}  // namespace far::detail
