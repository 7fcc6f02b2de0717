#pragma once
// The collective steps that distributed objects share, of whatever room.

#include <cstdint>

#include "far/world/world.hpp"

namespace far::detail {

/// Collective: whether all ranks have come with the same number.
[[nodiscard]] bool all_agree(const world& view, std::uint64_t mine);

/// Collective, for destructors: returns when every rank is here, or the job has failed. Does
/// nothing while an exception is on its way: then the others need not come.
void leave_together(const world& view, int exceptions_before) noexcept;

}  // namespace far::detail
