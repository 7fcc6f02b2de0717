#pragma once
// An exchange: every member sends every other member some bytes.

#include <cstddef>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/team/team_state.hpp"

namespace far::detail {

struct exchange_plan {
  /// What this member sends to another, in memory that stays as it is until the end.
  base::function_ref<std::span<const std::byte>(int member)> outgoing;
  /// Where what it gets from another goes; as many bytes as that member sends.
  base::function_ref<std::span<std::byte>(int member)> incoming;
};

/// Exchanges with all other members. What a member has for itself is not its business.
/// Returns when this member has sent and got everything. Makes progress while it waits.
///
/// Cost: per partner and chunk, two A_wake and the bytes twice; block_layout::lanes partners at a
/// time.
void exchange(fabric::context& context, team_state& team, const exchange_plan& plan);

/// Makes sure that this member knows where all blocks are. Collective.
void learn_all_blocks(fabric::context& context, team_state& team);

}  // namespace far::detail
