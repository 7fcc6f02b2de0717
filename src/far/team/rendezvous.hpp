#pragma once
// A rendezvous: no member returns before all have arrived. Each member may bring a deposit, and
// receive a result computed from all deposits.

#include <cstddef>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/team/team_state.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// Deposits and results. Allowed only if fits_rendezvous returns true; all members pass the same
/// sizes.
struct rendezvous_load {
  std::span<const std::byte> brought;  ///< this member's deposit, at most deposit_bytes
  std::span<std::byte> taken;          ///< for its result, at most result_bytes
  /// Called at one member with all deposits, in rank order, aligned for any element.
  base::function_ref<void(std::span<std::byte> all)> combine;
  /// Then called there for each member: returns its result, which must stay valid until the end.
  base::function_ref<std::span<const std::byte>(std::span<std::byte> all, int member)> share_of;
};

/// Whether rendezvous of this team can transfer these sizes: the team is on one node, and they are
/// small.
[[nodiscard]] bool fits_rendezvous(const team_state& team, std::size_t brought, std::size_t taken);

/// Waits for all members; `what` names the caller in reports. Makes progress while it waits.
///
/// When it returns, every member sees what each member's own memory held when that member called
/// it. A member must flush its operations to other ranks first.
/// Cost: on a node of n, A_fao(1) + (n - 1) A_wake; then ceil(log2 nodes) (A_wake + L).
void rendezvous(fabric::context& context, team_state& team, const char* what,
                const rendezvous_load* load = nullptr);

}  // namespace far::detail
