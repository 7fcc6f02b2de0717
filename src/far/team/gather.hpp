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

void gather_bytes(const world& world, team_state& team, std::span<const std::byte> mine,
                  std::span<std::byte> all, std::size_t element_bytes, int root);
void allgather_bytes(const world& world, team_state& team, std::span<const std::byte> mine,
                     std::span<std::byte> all, std::size_t element_bytes);
/// Allgather inside another collective, for little data; fills `all` on every member.
void allgather_small(fabric::context& context, team_state& team, std::span<const std::byte> mine,
                     std::span<std::byte> all);

/// An allgather of lists of different lengths. The constructor gathers the lengths in bytes, `run`
/// the lists.
class varying_allgather {
 public:
  varying_allgather(const world& world, team_state& team, std::size_t bytes,
                    std::size_t element_bytes);
  [[nodiscard]] std::span<const std::uint64_t> bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  void run(std::span<const std::byte> mine, std::span<std::byte> all);

 private:
  const world* world_;
  team_state* team_;
  collective_scope scope_;
  std::vector<std::uint64_t> bytes_;
  std::uint64_t total_ = 0;
};

}  // namespace detail

/// Collective: fills `all` on every member with the members' lists, concatenated in rank order. All
/// members' lists have the same length.
///
/// Completion: local. Ordering: no member returns before all have called it, but nothing is
/// flushed, so it is not a barrier for other data. Progress: made meanwhile. Threads: one per rank
/// at a time in a team.
/// Cost: little data on one node: A_fao(1) + n (A_wake + n bytes G); else up to 64 KB in all:
/// 2 ceil(log2 n) (A_wake + L + n bytes G); else (n - 1) (2 A_wake + 2 bytes G).
/// Errors: bad_argument if `all` is not size() times as long as `mine`, and for calls that do not
/// match; rank_failed.
/// Checked by: gather_test.allgather_of_every_size
template <collective_range R, mutable_collective_range All>
  requires std::same_as<std::ranges::range_value_t<R>, std::ranges::range_value_t<All>>
void allgather(const world& world, R&& mine, All&& all, const detail::team_or_world& team = {}) {
  const auto from = detail::span_of(mine);
  const auto to = detail::span_of(all);
  detail::team_state& state = team.state(world);
  detail::check_length("allgather", "the result", to.size(),
                       from.size() * static_cast<std::size_t>(state.size()));
  detail::allgather_bytes(world, state, std::as_bytes(from), std::as_writable_bytes(to),
                          sizeof(std::ranges::range_value_t<R>));
}

/// The same for one object per member.
/// Checked by: gather_test.single_values
template <collective_value T>
[[nodiscard]] std::vector<T> allgather(const world& world, const T& mine,
                                       const detail::team_or_world& team = {}) {
  std::vector<T> all(static_cast<std::size_t>(team.state(world).size()), mine);
  allgather(world, std::span<const T>(&mine, 1), all, team);
  return all;
}

/// Collective: returns the members' lists, of any lengths, concatenated in rank order, on every
/// member; writes their lengths to `lengths` unless it is null.
///
/// Cost: an allgather of 8 bytes, then (n - 1) 2 A_wake + 2 total G.
/// Otherwise as allgather.
/// Checked by: gather_test.allgatherv_of_random_lengths
template <collective_range R>
  requires std::default_initializable<std::ranges::range_value_t<R>>
[[nodiscard]] auto allgatherv(const world& world, R&& mine, std::vector<std::size_t>* lengths,
                              const detail::team_or_world& team = {}) {
  using T = std::ranges::range_value_t<R>;
  const auto from = detail::span_of(mine);
  detail::varying_allgather gathering(world, team.state(world), from.size_bytes(), sizeof(T));
  std::vector<T> all(static_cast<std::size_t>(gathering.total()) / sizeof(T));
  gathering.run(std::as_bytes(from), std::as_writable_bytes(std::span(all)));
  if (lengths != nullptr) {
    lengths->clear();
    for (const std::uint64_t bytes : gathering.bytes()) lengths->push_back(bytes / sizeof(T));
  }
  return all;
}
template <collective_range R>
  requires std::default_initializable<std::ranges::range_value_t<R>>
[[nodiscard]] auto allgatherv(const world& world, R&& mine,
                              const detail::team_or_world& team = {}) {
  return allgatherv(world, mine, nullptr, team);
}

/// Collective: fills `all` at `root` with the members' lists, concatenated in rank order. On other
/// members `all` is unused and may be empty. They may return before the root has called it.
///
/// Cost: ceil(log2 n) (A_wake + L) + 2 n bytes G at the root.
/// Errors: bad_argument if the root's `all` is not size() times as long as `mine`. Otherwise as
/// allgather.
/// Checked by: gather_test.gather_to_every_root
template <collective_range R, mutable_collective_range All>
  requires std::same_as<std::ranges::range_value_t<R>, std::ranges::range_value_t<All>>
void gather(const world& world, R&& mine, All&& all, int root,
            const detail::team_or_world& team = {}) {
  const auto from = detail::span_of(mine);
  const auto to = detail::span_of(all);
  detail::team_state& state = team.state(world);
  if (state.rank() == root) {
    detail::check_length("gather", "the result", to.size(),
                         from.size() * static_cast<std::size_t>(state.size()));
  }
  detail::gather_bytes(world, state, std::as_bytes(from), std::as_writable_bytes(to),
                       sizeof(std::ranges::range_value_t<R>), root);
}

/// The same for one object per member: returns all of them at the root, nothing elsewhere.
/// Checked by: gather_test.single_values
template <collective_value T>
[[nodiscard]] std::vector<T> gather(const world& world, const T& mine, int root,
                                    const detail::team_or_world& team = {}) {
  const detail::team_state& state = team.state(world);
  std::vector<T> all;
  if (state.rank() == root) all.assign(static_cast<std::size_t>(state.size()), mine);
  gather(world, std::span<const T>(&mine, 1), all, root, team);
  return all;
}

}  // namespace far
