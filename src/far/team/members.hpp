#pragma once
// far::team: some ranks of the job, numbered anew, that do things together.

#include <memory>
#include <utility>

#include "far/base/error.hpp"
#include "far/team/team_state.hpp"
#include "far/world/world.hpp"

namespace far {

/// A member's handle to its team. Copies name the same team. A default one names none, as does
/// what split gives those who want no team; it is no use but to be asked so.
///
/// Threads: one thread of a rank at a time may be inside the collectives of a team; different
/// teams are independent. Handlers, tasks and continuations must not call collectives.
class team {
 public:
  team() noexcept = default;

  /// The team of all ranks, numbered as in the world. It lives as long as the job; so must not
  /// handles to it.
  /// Cost: a lock and a short scan at the first collectives of a rank, no communication.
  /// Checked by: split_test.the_world_is_a_team
  [[nodiscard]] static team of(const world& view) {
    return team(std::shared_ptr<detail::team_state>(std::shared_ptr<void>(),
                                                    &detail::world_team_state(view.state())));
  }

  /// Whether this rank is in the team that the handle names.
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// This rank's number in the team, 0 .. size() - 1, and how many there are.
  /// Errors: bad_argument for no team.
  [[nodiscard]] int rank() const { return state().rank(); }
  [[nodiscard]] int size() const { return state().size(); }
  /// Number in the world of a member. Errors: bad_argument unless 0 <= member < size().
  /// Checked by: split_test.members_translate
  [[nodiscard]] int world_rank(int member) const;
  /// Number in the team of a rank of the world, or -1 if it is no member. Cost: O(size()).
  /// Checked by: split_test.members_translate
  [[nodiscard]] int member_of(int world_rank) const { return state().member_of(world_rank); }
  friend bool operator==(const team&, const team&) = default;

  /// `color` of those who want to be in no team.
  static constexpr int no_color = -1;

  /// Collective over this team: members of the same color form a new team, numbered by key, and
  /// members of equal keys as they are in this one. With no_color the result names no team.
  ///
  /// The handles are the team's life on this rank: when the last of them goes, so does the team
  /// here. That waits for nobody, and is no collective; but a member must have returned from every
  /// collective of the team by then.
  /// Completion: the new team can be used at once. Progress: made meanwhile.
  /// Cost: two allgathers of 8 bytes, O(size()) memory, and the team's block, at most 1.2 MB of
  /// local memory (FAR_LOCAL_HEAP), which is less where heaps are small.
  /// Errors: bad_argument for other negative colors; out_of_memory; rank_failed.
  /// Checked by: split_test.colors_and_keys, split_test.splits_of_splits,
  /// split_test.teams_come_and_go
  [[nodiscard]] team split(const world& view, int color, int key = 0) const;

  /// For the collectives. Errors: bad_argument for no team.
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

  [[nodiscard]] team_state& state(const world& view) const {
    return state_ != nullptr ? *state_ : world_team_state(view.state());
  }

 private:
  team_state* state_ = nullptr;
};

}  // namespace detail
}  // namespace far
