#pragma once
// The collective steps that distributed objects share.

#include <string_view>

#include "far/containers/directory.hpp"
#include "far/team/agreement.hpp"
#include "far/world/world.hpp"

namespace far::containers {

using detail::all_agree;

/// Collective: returns when every rank has added its part of the object.
/// Errors: bad_argument, on every rank, unless all ranks have added the same number and type.
void agree_on_object(const world& view, object_id id, std::string_view type);

}  // namespace far::containers
