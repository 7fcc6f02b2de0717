#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "far/team/elements.hpp"
#include "far/team/matching.hpp"
#include "far/team/members.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

void alltoall_bytes(const world& world, team_state& team, std::span<const std::byte> from,
                    std::span<std::byte> to, std::size_t element_bytes);

/// An alltoall of pieces of different lengths, counted in elements.
class varying_alltoall {
 public:
  varying_alltoall(const world& world, team_state& team, std::size_t element_bytes);
  /// Collective: returns how many elements each member will send to this one. `to_each`: how many
  /// this member sends to each.
  [[nodiscard]] std::vector<std::size_t> request_counts(std::span<const std::size_t> to_each);
  /// Errors: bad_argument unless the counts add up to the lists' lengths, and in debug builds if a
  /// member sends more or less than its receiver expects.
  void run(std::span<const std::byte> from, std::span<const std::size_t> to_each,
           std::span<std::byte> to, std::span<const std::size_t> from_each);

 private:
  void check_counts(std::span<const std::size_t> to_each, std::span<const std::size_t> from_each);

  const world* world_;
  team_state* team_;
  std::size_t element_bytes_;
  collective_scope scope_;
};

}  // namespace detail

/// Collective: sends each member one of the size() equal pieces of `from`, in rank order, and fills
/// `to` with the pieces that the members send to this one, in rank order.
///
/// Completion: local. Ordering: no member returns before all have called it, but nothing is
/// flushed, so it is not a barrier for other data. Progress: made meanwhile. Threads: one per rank
/// at a time in a team.
/// `from` and `to` must not overlap.
/// Cost: little data on one node: A_fao(1) + n (A_wake + bytes G); else (n - 1) 2 A_wake +
/// 2 bytes G.
/// Errors: bad_argument for lists of different lengths, for lengths that size() does not divide,
/// and for calls that do not match; rank_failed.
/// Checked by: alltoall_test.equal_pieces
template <collective_range R, mutable_collective_range To>
  requires std::same_as<std::ranges::range_value_t<R>, std::ranges::range_value_t<To>>
void alltoall(const world& world, R&& from, To&& to, const detail::team_or_world& team = {}) {
  const auto source = detail::span_of(from);
  const auto target = detail::span_of(to);
  detail::team_state& state = team.state(world);
  const auto n = static_cast<std::size_t>(state.size());
  detail::check_length("alltoall", "the list to send", source.size(), source.size() / n * n);
  detail::check_length("alltoall", "the result", target.size(), source.size());
  detail::alltoall_bytes(world, state, std::as_bytes(source), std::as_writable_bytes(target),
                         sizeof(std::ranges::range_value_t<R>));
}

/// Collective: as alltoall, with pieces of different lengths. `from` holds one piece for each
/// member in rank order, of `to_each` elements; `to` is filled with the pieces that the members
/// send to this one, in rank order, of `from_each` elements. A member's from_each must agree with
/// what the others' to_each say for it.
///
/// Cost: per partner that has something to say, 2 A_wake per 32 KB; 2 bytes G.
/// Errors: bad_argument for counts that do not add up to the lists' lengths, and in debug builds
/// for counts that do not agree between members. Otherwise as alltoall.
/// Checked by: alltoall_test.random_pieces, alltoall_test.counts_that_disagree_are_reported
template <collective_range R, mutable_collective_range To>
  requires std::same_as<std::ranges::range_value_t<R>, std::ranges::range_value_t<To>>
void alltoallv(const world& world, R&& from, std::span<const std::size_t> to_each, To&& to,
               std::span<const std::size_t> from_each, const detail::team_or_world& team = {}) {
  const auto source = detail::span_of(from);
  const auto target = detail::span_of(to);
  detail::varying_alltoall transfer(world, team.state(world),
                                    sizeof(std::ranges::range_value_t<R>));
  transfer.run(std::as_bytes(source), to_each, std::as_writable_bytes(target), from_each);
}

/// The same if members do not know how much they will receive: returns the pieces, and writes their
/// lengths to `from_each` unless it is null. Cost: an alltoall of 8 bytes more.
/// Checked by: alltoall_test.unknown_pieces
template <collective_range R>
  requires std::default_initializable<std::ranges::range_value_t<R>>
[[nodiscard]] auto alltoallv(const world& world, R&& from, std::span<const std::size_t> to_each,
                             std::vector<std::size_t>* from_each,
                             const detail::team_or_world& team = {}) {
  using T = std::ranges::range_value_t<R>;
  const auto source = detail::span_of(from);
  detail::varying_alltoall transfer(world, team.state(world), sizeof(T));
  std::vector<std::size_t> counts = transfer.request_counts(to_each);
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  std::vector<T> to(total);
  transfer.run(std::as_bytes(source), to_each, std::as_writable_bytes(std::span(to)), counts);
  if (from_each != nullptr) *from_each = std::move(counts);
  return to;
}
template <collective_range R>
  requires std::default_initializable<std::ranges::range_value_t<R>>
[[nodiscard]] auto alltoallv(const world& world, R&& from, std::span<const std::size_t> to_each,
                             const detail::team_or_world& team = {}) {
  return alltoallv(world, from, to_each, nullptr, team);
}

}  // namespace far
