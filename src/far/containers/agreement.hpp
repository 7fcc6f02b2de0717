#pragma once
// The collective steps that distributed objects share.

#include <cstdint>
#include <string_view>

#include "far/containers/directory.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Collective: whether all ranks have come with the same number.
[[nodiscard]] bool all_agree(const world& view, std::uint64_t mine);

/// Collective: returns when every rank has added its part of the object. Throws bad_argument, on
/// every rank, unless all have added the same number and type.
void agree_on_object(const world& view, object_id id, std::string_view type);

/// Collective, for destructors: returns when every rank is here, or the job has failed. Does
/// nothing while an exception is on its way: then the others need not come.
void leave_together(const world& view, int exceptions_before) noexcept;

}  // namespace far::containers
