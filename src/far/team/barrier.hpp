#pragma once

#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {

/// Collective: returns when all members have called it.
///
/// Completion: flushes first, so after the barrier every member sees what the members' calling
/// threads put or changed before it, on any rank. Active messages may still be in flight (see
/// quiesce), and other threads must flush for themselves.
/// Progress: made meanwhile. Threads: one per rank at a time in a team.
/// Cost: a flush, then on a node of n members A_fao(1) + (n - 1) A_wake, and between m nodes
/// ceil(log2 m) (A_wake + L).
/// Errors: rank_failed when a rank dies, whichever barrier the others are in; bad_argument when
/// members call different collectives, or, in debug builds and for the world, when ranks differ in
/// their symmetric allocations.
/// Source: dissemination between nodes, Hensgen, Finkel, Manber 1988.
/// Checked by: barrier_test.orders_puts_before_gets, barrier_test.lets_nobody_through_early,
/// barrier_test.thousands_back_to_back, failure_test.death_inside_a_barrier,
/// mismatch_test.a_barrier_meets_an_allreduce
void barrier(const world& world, const detail::team_or_world& team = {});

}  // namespace far
