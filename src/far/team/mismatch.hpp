#pragma once
// Members that are in different collectives: how they notice it, in every build.
//
// - The words that members exchange carry the code of the sender's trail (call_trail.hpp): the
//   counter and the rounds of a rendezvous, the arrivals of links, the grants of exchanges.
// - Members that wait for each other exchange no word. So one that has waited for long reads the
//   notes of those that it waits for.

#include "far/base/function_ref.hpp"
#include "far/fabric/context.hpp"
#include "far/team/team_state.hpp"

namespace far::detail {

/// Throws bad_argument, which says what this member and `member` have called; or -1: any member
/// of this node whose calls differ.
[[noreturn]] void report_mismatch(fabric::context& context, team_state& team, int member);

/// Waits until ready(), as context::wait, in a collective of this team. `member`: the one that this
/// depends on; -1: any of this node.
/// Errors: bad_argument if their calls turn out to differ from this member's; rank_failed.
void wait_for_member(fabric::context& context, team_state& team, base::function_ref<bool()> ready,
                     const char* what, int member, fabric::address word = {});

}  // namespace far::detail
