#pragma once
// A meeting: nobody leaves before everybody has come. Each member may bring something, and take
// home something made of what all brought.

#include <cstddef>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/team/team_state.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// What members bring and take home. Only where can_bring says yes; the sizes are the same for all.
struct meeting {
  std::span<const std::byte> brought;  ///< at most deposit_bytes
  std::span<std::byte> taken;          ///< at most result_bytes
  /// Called at one member, with what all brought, in rank order, aligned as any element may be.
  base::function_ref<void(std::span<std::byte> all)> combine;
  /// Then called there for each member: what it takes home, in memory that lasts until the end.
  base::function_ref<std::span<const std::byte>(std::span<std::byte> all, int member)> share_of;
};

/// Whether meetings of this team can carry these sizes: it lives on one node, and they are small.
[[nodiscard]] bool can_bring(const team_state& team, std::size_t brought, std::size_t taken);

/// Meets; `what` says in reports what for. Makes progress while it waits.
///
/// What a member's memory showed when it came, all see when they leave; its operations under way
/// to others it must have flushed.
/// Cost: on a node of n, A_fao(1) + (n - 1) A_wake; then ceil(log2 nodes) (A_wake + L).
void meet(fabric::context& context, team_state& team, const char* what,
          const meeting* load = nullptr);

}  // namespace far::detail
