#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "far/team/elements.hpp"
#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

/// Replaces `list` by the combination of the lists of lower ranks, and its own if `inclusive`.
/// Returns false at rank 0; there, an exclusive scan leaves `list` unchanged.
bool scan_bytes(const world& world, team_state& team, std::span<std::byte> list,
                const combiner& fold, bool inclusive);

}  // namespace detail

/// Collective: replaces each member's list, element by element, by
/// `init op x0 op x1 ... op x(rank - 1)`, where x0 is rank 0's list. As in std::exclusive_scan, its
/// own list is not included. All members' lists have the same length; `op` is associative and need
/// not be commutative. The order of the operations depends only on the ranks.
///
/// Completion: local. Ordering: only that of the data. Progress: made meanwhile. Threads: one per
/// rank at a time in a team.
/// Cost: ceil(log2 n) (A_wake + L + 2 bytes G).
/// Errors: bad_argument for calls that do not match, in debug builds by their operations too;
/// rank_failed.
/// Checked by: scan_test.exclusive_of_every_size
template <mutable_collective_range R, reduction<std::ranges::range_value_t<R>> Op = std::plus<>>
void exclusive_scan(const world& world, R&& list, std::ranges::range_value_t<R> init, Op op = {},
                    const detail::team_or_world& team = {}) {
  using T = std::ranges::range_value_t<R>;
  const auto elements = detail::span_of(list);
  const bool any = detail::scan_bytes(world, team.state(world), std::as_writable_bytes(elements),
                                      detail::combiner_of<T>(op), false);
  for (T& x : elements) x = any ? static_cast<T>(std::invoke(op, init, std::as_const(x))) : init;
}
/// The sums over a team. Checked by: scan_test.sums_of_teams
template <mutable_collective_range R>
  requires reduction<std::plus<>, std::ranges::range_value_t<R>>
void exclusive_scan(const world& world, R&& list, std::ranges::range_value_t<R> init,
                    const team& of) {
  exclusive_scan(world, list, init, std::plus<>(), of);
}

/// The same for one object: returns the result.
/// Checked by: scan_test.single_values
template <collective_value T, reduction<T> Op = std::plus<>>
[[nodiscard]] T exclusive_scan(const world& world, T value, T init, Op op = {},
                               const detail::team_or_world& team = {}) {
  exclusive_scan(world, std::span<T>(&value, 1), init, std::move(op), team);
  return value;
}
/// Checked by: scan_test.sums_of_teams
template <collective_value T>
  requires reduction<std::plus<>, T>
[[nodiscard]] T exclusive_scan(const world& world, T value, T init, const team& of) {
  return exclusive_scan(world, value, init, std::plus<>(), of);
}

/// Collective: the same with each member's own list included, and without `init`:
/// `x0 op x1 ... op x(rank)`. Otherwise as exclusive_scan.
/// Checked by: scan_test.inclusive_of_every_size
template <mutable_collective_range R, reduction<std::ranges::range_value_t<R>> Op = std::plus<>>
void inclusive_scan(const world& world, R&& list, Op op = {},
                    const detail::team_or_world& team = {}) {
  const auto elements = detail::span_of(list);
  detail::scan_bytes(world, team.state(world), std::as_writable_bytes(elements),
                     detail::combiner_of<std::ranges::range_value_t<R>>(op), true);
}
/// The sums over a team. Checked by: scan_test.sums_of_teams
template <mutable_collective_range R>
  requires reduction<std::plus<>, std::ranges::range_value_t<R>>
void inclusive_scan(const world& world, R&& list, const team& of) {
  inclusive_scan(world, list, std::plus<>(), of);
}

/// The same for one object: returns the result.
/// Checked by: scan_test.single_values
template <collective_value T, reduction<T> Op = std::plus<>>
[[nodiscard]] T inclusive_scan(const world& world, T value, Op op = {},
                               const detail::team_or_world& team = {}) {
  inclusive_scan(world, std::span<T>(&value, 1), std::move(op), team);
  return value;
}
/// Checked by: scan_test.sums_of_teams
template <collective_value T>
  requires reduction<std::plus<>, T>
[[nodiscard]] T inclusive_scan(const world& world, T value, const team& of) {
  return inclusive_scan(world, value, std::plus<>(), of);
}

}  // namespace far
