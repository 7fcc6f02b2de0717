#pragma once

#include <cstddef>
#include <span>

#include "far/team/elements.hpp"
#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

void broadcast_bytes(const world& world, team_state& team, std::span<std::byte> bytes,
                     std::size_t element_bytes, int root);

}  // namespace detail

/// Collective: fills `list` with the root's. All members' lists have the same length.
///
/// Completion: local: the root may return before other members have called it. Ordering: only that
/// of the data; it is not a barrier. Progress: made meanwhile. Threads: one per rank at a time in a
/// team.
/// Cost: ceil(log2 n) (A_wake + L + 2 bytes G); long lists go along a chain in pieces:
/// n (A_wake + L) + 2 bytes G.
/// Errors: bad_argument for a root outside the team, and for calls that do not match; rank_failed.
/// Checked by: broadcast_test.every_root_and_size
template <mutable_collective_range R>
void broadcast(const world& world, R&& list, int root, const detail::team_or_world& team = {}) {
  const auto elements = detail::span_of(list);
  detail::broadcast_bytes(world, team.state(world), std::as_writable_bytes(elements),
                          sizeof(std::ranges::range_value_t<R>), root);
}

/// The same for one object: returns the root's value.
/// Checked by: broadcast_test.single_values
template <collective_value T>
[[nodiscard]] T broadcast(const world& world, T value, int root,
                          const detail::team_or_world& team = {}) {
  broadcast(world, std::span<T>(&value, 1), root, team);
  return value;
}

}  // namespace far
