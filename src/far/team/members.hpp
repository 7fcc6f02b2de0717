#pragma once
// far::team: a group of the job's ranks, renumbered from 0, for collectives.

#include <memory>
#include <span>
#include <utility>

#include "far/base/error.hpp"
#include "far/team/team_state.hpp"
#include "far/world/world.hpp"

namespace far {

/// A member's handle to its team. Copies refer to the same team. A default-constructed handle and
/// the result of split for no_color are empty: they refer to no team.
///
/// Threads: one thread of a rank at a time may be inside the collectives of a team; different
/// teams are independent. Handlers, tasks and continuations must not call collectives.
class team {
 public:
  team() noexcept = default;

  /// The team of all ranks, numbered as in the world. It lives as long as the job, and handles to
  /// it must not live longer.
  /// Cost: a lock and a short scan at the first collectives of a rank, no communication.
  /// Checked by: split_test.the_world_is_a_team
  [[nodiscard]] static team of(const world& world) {
    return team(std::shared_ptr<detail::team_state>(std::shared_ptr<void>(),
                                                    &detail::world_team_state(world.state())));
  }

  /// Whether the handle refers to a team.
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// This rank's number in the team, 0 .. size() - 1, and the number of members.
  /// Errors: bad_argument for an empty handle.
  [[nodiscard]] int rank() const { return state().rank(); }
  [[nodiscard]] int size() const { return state().size(); }
  /// The world rank of a member. Errors: bad_argument unless 0 <= member < size().
  /// Checked by: split_test.members_translate
  [[nodiscard]] int world_rank(int member) const;
  /// The number in the team of a world rank, or -1 if it is not a member. Cost: O(size()).
  /// Checked by: split_test.members_translate
  [[nodiscard]] int member_of(int world_rank) const { return state().member_of(world_rank); }
  friend bool operator==(const team&, const team&) = default;

  /// The `color` of members that join no new team.
  static constexpr int no_color = -1;

  /// Collective over this team: members of the same color form a new team, ordered by key; members
  /// with equal keys keep their order in this team. With no_color the result is empty.
  ///
  /// The handles own the team on this rank: when the last one is destroyed, so is the team here.
  /// This neither waits nor is collective, but the rank must have returned from every collective of
  /// the team by then.
  /// Completion: the new team can be used at once. Progress: made meanwhile.
  /// Cost: two allgathers of 8 bytes, O(size()) memory, and the team's block, at most 1.2 MB of
  /// local memory (FAR_LOCAL_HEAP), which is less where heaps are small.
  /// Errors: bad_argument for other negative colors; out_of_memory, on all members of a team of
  /// which one has no memory; rank_failed.
  /// Checked by: split_test.colors_and_keys, split_test.splits_of_splits,
  /// split_test.teams_come_and_go, split_test.one_full_heap_is_reported_to_all
  [[nodiscard]] team split(const world& world, int color, int key = 0) const;

  /// A team of these ranks of the job, in this order; the caller is one of them. Its members alone
  /// make it, each by a call with the same ranks, whatever other ranks do. It is neither a
  /// collective nor waits: members may make several teams in different orders, and teams may
  /// overlap. A member that uses the team first waits in a collective for those that have not made
  /// it yet. Each call makes another team, whose collectives do not mix with those of others: keep
  /// the handle. If the same ranks make several teams, their members match them in the order in
  /// which each has made its own.
  ///
  /// The handles own the team on this rank, as those of split do.
  /// Threads: safe; teams of the same ranks must be made in the same order on all members.
  /// Cost: O(size log size), and the team's block, as split; no communication. The first
  /// collectives ask the members that they communicate with for their blocks: a request each.
  /// Errors: bad_argument if `ranks` is empty, has a rank twice or one that is not of the job, or
  /// lacks the caller; out_of_memory.
  /// Checked by: members_test.sets_of_all_shapes, members_test.orders_do_not_matter,
  /// members_test.equal_sets_are_different_teams, members_test.others_need_not_take_part
  [[nodiscard]] static team of_members(const world& world, std::span<const int> ranks);

  /// For the collectives. Errors: bad_argument for an empty handle.
  [[nodiscard]] detail::team_state& state() const {
    if (!state_) throw_no_team();
    return *state_;
  }

 private:
  explicit team(std::shared_ptr<detail::team_state> state) noexcept : state_(std::move(state)) {}
  [[noreturn]] static void throw_no_team();

  std::shared_ptr<detail::team_state> state_;
};

namespace detail {

/// The last argument of every collective: a team, or nothing for the world.
class team_or_world {
 public:
  team_or_world() noexcept = default;
  team_or_world(const team& members) : state_(&members.state()) {}  // NOLINT: implicit

  [[nodiscard]] team_state& state(const world& world) const {
    return state_ != nullptr ? *state_ : world_team_state(world.state());
  }

 private:
  team_state* state_ = nullptr;
};

}  // namespace detail
}  // namespace far
