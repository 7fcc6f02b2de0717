#pragma once
// An exchange: every member sends bytes to every other member.

#include <cstddef>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/team/team_state.hpp"

namespace far::detail {

struct exchange_plan {
  /// Returns the bytes that this member sends to another. They must not change before the end.
  base::function_ref<std::span<const std::byte>(int member)> outgoing;
  /// Returns the buffer for the bytes from another member, of the size that this one sends.
  base::function_ref<std::span<std::byte>(int member)> incoming;
};

/// Exchanges with all other members; the caller copies a member's data for itself. Returns when
/// this member has sent and received everything. Makes progress while it waits.
///
/// Cost: per partner and chunk, two A_wake and the bytes twice; block_layout::lanes partners at a
/// time.
void exchange(fabric::context& context, team_state& team, const exchange_plan& plan);

/// Collective: makes the addresses of all blocks known to this member. No-op if they are known.
void learn_all_blocks(fabric::context& context, team_state& team);

}  // namespace far::detail
