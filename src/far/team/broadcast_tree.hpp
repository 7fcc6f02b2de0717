#pragma once

#include <cstddef>
#include <span>

#include "far/team/link.hpp"

namespace far::detail {

/// Broadcast inside another collective. A team of two or more; at least one byte.
void broadcast_in_tree(fabric::context& context, team_state& team, std::span<std::byte> bytes,
                       int root);

}  // namespace far::detail
