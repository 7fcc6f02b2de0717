#pragma once

#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {

/// Collective: returns when all members have called it.
///
/// Completion: flushes first, so what a member's calling thread put or changed before the barrier,
/// anywhere, every member sees after it. Active messages under way may stay so (see quiesce), and
/// other threads flush for themselves.
/// Progress: made meanwhile. Threads: one per rank at a time in a team.
/// Cost: a flush, then on a node of n members A_fao(1) + (n - 1) A_wake, and between m nodes
/// ceil(log2 m) (A_wake + L).
/// Errors: rank_failed when a rank dies, in whichever barrier the others are; in debug builds,
/// bad_argument when members call different collectives, or, for the world, when ranks differ in
/// their symmetric allocations.
/// Source: dissemination between nodes, Hensgen, Finkel, Manber 1988.
/// Checked by: barrier_test.orders_puts_before_gets, barrier_test.lets_nobody_through_early,
/// barrier_test.thousands_back_to_back, failure_test.death_inside_a_barrier
void barrier(const world& view, const detail::team_or_world& team = {});

}  // namespace far
