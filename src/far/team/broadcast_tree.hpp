#pragma once

#include <cstddef>
#include <span>

#include "far/team/link.hpp"

namespace far::detail {

/// Broadcasts inside another collective. The team has at least two members; `bytes` is not empty.
void broadcast_in_tree(fabric::context& context, team_state& team, std::span<std::byte> bytes,
                       int root);

}  // namespace far::detail
