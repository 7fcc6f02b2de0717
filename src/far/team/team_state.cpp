#include "far/team/team_state.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/retired_blocks.hpp"
#include "far/team/words.hpp"

namespace far::detail {

team_state::team_state(rank_state& state, kind what, std::vector<int> members, int rank)
    : state_(&state),
      kind_(what),
      members_(std::move(members)),
      size_(what == kind::world ? state.fabric().size() : static_cast<int>(members_.size())),
      rank_(rank),
      blocks_(size_) {
  if (what != kind::world) outlived_.emplace(state);
  if (size() == 1) return;  // no communication
  const fabric::fabric& fabric = state.fabric();
  find_node(fabric);
  layout_ = block_layout(size(), node_.size(), fabric.layout().bytes[fabric::local_segment]);
  links.resize(static_cast<std::size_t>(layout_.links()));
  const std::uint64_t bytes = layout_.bytes(node_.is_leader());
  block_ = allocate_local<cache_line>(state, (bytes + block_layout::line - 1) / block_layout::line)
               .address();
  notes_ = fabric.local(place(block_, layout_.trail()));
  set_block_of(rank_, block_);
}

team_state::~team_state() {
  // The heaps end with the world team. For a broken team, the writes in flight are unknown.
  if (!block_ || kind_ == kind::world || broken_ || state_->ended()) return;
  state_->get<retired_blocks>().retire(block_, final_words(), key_);
}

void team_state::find_node(const fabric::fabric& fabric) {
  std::unordered_map<int, int> leader_of;  // by node
  const int mine = fabric.node_of(world_rank(rank_));
  int previous = -1;
  for (int member = 0; member < size(); ++member) {
    const int node = fabric.node_of(world_rank(member));
    if (std::exchange(previous, node) != node && leader_of.try_emplace(node, member).second) {
      if (node == mine) node_.leader_index = static_cast<int>(node_.leaders.size());
      node_.leaders.push_back(member);
    }
    if (node != mine) continue;
    if (member == rank_) node_.index = node_.size();
    node_.members.push_back(member);
  }
}

int team_state::member_of(int world_rank) const noexcept {
  if (kind_ == kind::world) return world_rank >= 0 && world_rank < size_ ? world_rank : -1;
  const auto found = std::find(members_.begin(), members_.end(), world_rank);
  return found == members_.end() ? -1 : static_cast<int>(found - members_.begin());
}

fabric::address team_state::block_of(fabric::context& context, int member) {
  if (const fabric::address known = blocks_.of(member)) return known;
  const fabric::address found = key_ ? find_member_block(context, world_rank(member), key_, true)
                                     : find_world_block(context, world_rank(member));
  blocks_.set(member, found);
  return found;
}

fabric::address team_state::block_if_made(fabric::context& context, int member) {
  if (!key_ || knows_block_of(member)) return block_of(context, member);
  return find_member_block(context, world_rank(member), key_, false);
}

void team_state::publish(fabric::context& context, const member_key& key) {
  key_ = key;
  if (block_) state_->get<member_blocks>().publish(context, key, block_);
}

std::vector<std::pair<fabric::address, std::uint64_t>> team_state::final_words() const {
  std::vector<std::pair<fabric::address, std::uint64_t>> words;
  for (int link = 0; link < layout_.links(); ++link) {
    words.emplace_back(place(block_, layout_.link_taken(link)),
                       links[static_cast<std::size_t>(link)].sent.told);
  }
  if (rank_ == 0) {
    words.emplace_back(place(block_, block_layout::calls()),
                       matched_calls * static_cast<std::uint64_t>(size()));
  }
  return words;
}

std::byte* team_state::scratch(std::size_t bytes) {
  const std::size_t lines = (bytes + sizeof(cache_line) - 1) / sizeof(cache_line);
  if (scratch_.size() < lines) scratch_.resize(lines);
  return scratch_.empty() ? nullptr : scratch_.front().bytes;
}

team_state::use::use(team_state& team, const char* what) : team_(&team) {
  if (team.in_use_.exchange(true, std::memory_order_acquire)) {
    throw bad_argument(fmt::format(
        "{} on rank {}: this rank is already inside a collective of this team; only one thread at "
        "a time may use a team, and handlers must not",
        what, team.world_rank(team.rank())));
  }
}

team_state::use::~use() {
  if (watch_.is_unwinding()) team_->broken_ = true;
  team_->in_use_.store(false, std::memory_order_release);
}

}  // namespace far::detail
