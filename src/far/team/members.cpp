#include "far/team/members.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "far/team/gather.hpp"
#include "far/team/matching.hpp"
#include "far/team/retired_blocks.hpp"

namespace far {
namespace {

/// A member's arguments of a split, as sent to the others.
struct split_request {
  std::int32_t color;
  std::int32_t key;
};

template <class T>
std::vector<T> gather_from_all(const world& world, detail::team_state& team, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(team.size()), mine);
  if (team.size() > 1) {
    detail::allgather_small(world.context(), team, std::as_bytes(std::span(&mine, 1)),
                            std::as_writable_bytes(std::span(all)));
  }
  return all;
}

void check_members(const world& world, const std::vector<int>& members) {
  std::vector<int> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  if (!std::binary_search(sorted.begin(), sorted.end(), world.rank())) {
    throw bad_argument(
        fmt::format("team::of_members: rank {} makes a team of {} members, but is none of them",
                    world.rank(), members.size()));
  }
  if (sorted.front() < 0 || sorted.back() >= world.size()) {
    const int bad = sorted.front() < 0 ? sorted.front() : sorted.back();
    throw bad_argument(
        fmt::format("team::of_members: rank {} of a job of {} ranks", bad, world.size()));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw bad_argument(fmt::format("team::of_members: rank {} is there twice", *twice));
  }
}

}  // namespace

int team::world_rank(int member) const {
  if (member < 0 || member >= size()) {
    throw bad_argument(
        fmt::format("team.world_rank({}): the ranks of the team are 0 to {}", member, size() - 1));
  }
  return state().world_rank(member);
}

void team::throw_no_team() {
  throw bad_argument("this far::team is empty: this rank is in no team; test the handle first");
}

team team::split(const world& world, int color, int key) const {
  detail::team_state& parent = state();
  if (color < 0 && color != no_color) {
    throw bad_argument(fmt::format(
        "team.split with color {}: colors are 0 and above, or no_color ({})", color, no_color));
  }
  const detail::collective_scope scope(world, parent, {detail::collective::split});
  world.state().get<detail::retired_blocks>().sweep(world.context());

  const std::vector<split_request> wishes =
      gather_from_all(world, parent, split_request{color, key});
  std::vector<int> chosen;  // ranks in the parent
  for (int member = 0; member < parent.size(); ++member) {
    const split_request& theirs = wishes[static_cast<std::size_t>(member)];
    if (color != no_color && theirs.color == color) chosen.push_back(member);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) {
    return wishes[static_cast<std::size_t>(a)].key < wishes[static_cast<std::size_t>(b)].key;
  });

  std::shared_ptr<detail::team_state> made;
  std::optional<out_of_memory> failure;  // thrown when the others know it
  if (color != no_color) {
    std::vector<int> members;
    for (const int member : chosen) members.push_back(parent.world_rank(member));
    const auto me = std::find(chosen.begin(), chosen.end(), parent.rank());
    try {
      made = std::make_shared<detail::team_state>(world.state(), detail::team_state::kind::split,
                                                  std::move(members),
                                                  static_cast<int>(me - chosen.begin()));
    } catch (const out_of_memory& why) {
      failure = why;
    }
  }
  // A member that has received all blocks knows that they are zeroed and ready.
  const std::vector<std::uint64_t> blocks =
      gather_from_all(world, parent, made ? made->block().bits() : std::uint64_t{0});
  if (failure) throw out_of_memory(*failure);
  if (!made || made->size() == 1) return team(std::move(made));
  for (int i = 0; i < made->size(); ++i) {
    const int member = chosen[static_cast<std::size_t>(i)];
    const std::uint64_t block = blocks[static_cast<std::size_t>(member)];
    if (block == 0) {
      throw out_of_memory(fmt::format("team.split: rank {} has no memory for the new team",
                                      parent.world_rank(member)));
    }
    made->set_block_of(i, fabric::address::from_bits(block));
  }
  made->knows_all_blocks = true;
  return team(std::move(made));
}

team team::of_members(const world& world, std::span<const int> ranks) {
  std::vector<int> members(ranks.begin(), ranks.end());
  check_members(world, members);
  world.state().get<detail::retired_blocks>().sweep(world.context());
  const auto me = std::find(members.begin(), members.end(), world.rank());
  const int number = static_cast<int>(me - members.begin());
  const detail::member_key key = world.state().get<detail::member_blocks>().next_key(members);
  auto made = std::make_shared<detail::team_state>(world.state(), detail::team_state::kind::members,
                                                   std::move(members), number);
  made->publish(world.context(), key);
  return team(std::move(made));
}

}  // namespace far
