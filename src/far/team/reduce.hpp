#pragma once
// Reductions. The order of the operations depends only on the number of members: neighbors are
// combined in pairs, pairs in fours, and so on, with the lower ranks always on the left,
//
//   ((x0 op x1) op (x2 op x3)) op (x4 op x5)
//
// so floating-point sums are the same on every run, on every member, for every placement of ranks
// on machines, and for every algorithm that the library chooses.

#include <cstddef>
#include <functional>
#include <span>

#include "far/team/elements.hpp"
#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

void reduce_bytes(const world& world, team_state& team, std::span<std::byte> list,
                  const combiner& fold, int root);
void allreduce_bytes(const world& world, team_state& team, std::span<std::byte> list,
                     const combiner& fold);

}  // namespace detail

/// Collective: combines the members' lists element by element and writes the result to every
/// member's `list`. All members pass lists of the same length and the same `op`, which is
/// associative but need not be commutative.
///
/// Completion: local. Ordering: no member returns before all have called it, but nothing is
/// flushed, so it is not a barrier for other data. Progress: made meanwhile. Threads: one per rank
/// at a time in a team.
/// Cost: short lists on one node: A_fao(1) + n (A_wake + bytes G); short ones elsewhere
/// 2 ceil(log2 n) (A_wake + L + 2 bytes G); long ones 4 n A_wake + 8 bytes G.
/// Errors: bad_argument for calls that do not match, in debug builds by their operations too;
/// rank_failed.
/// Checked by: reduce_test.allreduce_of_every_size, reduce_test.order_is_fixed
template <mutable_collective_range R, reduction<std::ranges::range_value_t<R>> Op = std::plus<>>
void allreduce(const world& world, R&& list, Op op = {}, const detail::team_or_world& team = {}) {
  const auto elements = detail::span_of(list);
  detail::allreduce_bytes(world, team.state(world), std::as_writable_bytes(elements),
                          detail::combiner_of<std::ranges::range_value_t<R>>(op));
}
/// The sum over a team. Checked by: reduce_test.sums_of_teams
template <mutable_collective_range R>
  requires reduction<std::plus<>, std::ranges::range_value_t<R>>
void allreduce(const world& world, R&& list, const team& of) {
  allreduce(world, list, std::plus<>(), of);
}

/// The same for one object: returns the result.
/// Checked by: reduce_test.single_values
template <collective_value T, reduction<T> Op = std::plus<>>
[[nodiscard]] T allreduce(const world& world, T value, Op op = {},
                          const detail::team_or_world& team = {}) {
  allreduce(world, std::span<T>(&value, 1), std::move(op), team);
  return value;
}
/// Checked by: reduce_test.sums_of_teams
template <collective_value T>
  requires reduction<std::plus<>, T>
[[nodiscard]] T allreduce(const world& world, T value, const team& of) {
  return allreduce(world, value, std::plus<>(), of);
}

/// Collective: as allreduce, but writes the result only at `root`; elsewhere `list` is unchanged.
/// Members other than the root may return before all have called it.
///
/// Cost: ceil(log2 n) (A_wake + L + 2 bytes G), pieces of long lists overlapping; up to as much
/// again for roots other than 0.
/// Errors: as allreduce; bad_argument for a root outside the team.
/// Checked by: reduce_test.reduce_to_every_root, reduce_test.order_is_fixed
template <mutable_collective_range R, reduction<std::ranges::range_value_t<R>> Op>
void reduce(const world& world, R&& list, Op op, int root, const detail::team_or_world& team = {}) {
  const auto elements = detail::span_of(list);
  detail::reduce_bytes(world, team.state(world), std::as_writable_bytes(elements),
                       detail::combiner_of<std::ranges::range_value_t<R>>(op), root);
}

/// The same for one object: returns the result at the root, and the member's own value elsewhere.
/// Checked by: reduce_test.single_values
template <collective_value T, reduction<T> Op>
[[nodiscard]] T reduce(const world& world, T value, Op op, int root,
                       const detail::team_or_world& team = {}) {
  reduce(world, std::span<T>(&value, 1), std::move(op), root, team);
  return value;
}

}  // namespace far
